import { byIds, type Context } from '@crm/service';
import { identity } from '../peers.ts';
import { relations } from './communication.api.ts';

type Relation = (typeof relations)[number];

export interface CommunicationRow {
  readonly id: number;
  readonly send_from_user_id: number;
  readonly completing_user_id: number | null;
}

/** Adds the ids for looking up related people to a selection. */
export function withIds(select: readonly string[] | undefined, load: readonly string[]) {
  return select && [...select, ...load.map((relation) => `${relation}_id`)];
}

/**
 * Adds the senders and the users who marked them as done. Whoever sees a communication may see these people, so the system asks
 * for them.
 */
export async function loadPeople(
  ctx: Context,
  load: readonly string[],
  communications: readonly CommunicationRow[],
) {
  const wanted = relations.filter((relation) => load.includes(relation));
  const idOf = (one: CommunicationRow, relation: Relation) => one[`${relation}_id`] ?? 0;
  const people = await byIds(
    communications.flatMap((one) => wanted.map((relation) => one[`${relation}_id`])),
    async (ids) => {
      const users = await identity.asSystem(ctx).users.byIds({ ids });
      return users.map(({ id, first_name, last_name }) => ({ id, first_name, last_name }));
    },
  );
  return communications.map((one) => ({
    ...one,
    ...Object.fromEntries(wanted.map((relation) => [relation, people.get(idOf(one, relation)) ?? null])),
  }));
}

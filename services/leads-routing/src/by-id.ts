import type { PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

type Id = number | null | undefined;

/** The most ids that a peer takes at once. */
const most = 1000;

/** Records by id, each asked for once; nobody is asked when there are no ids. */
export async function byId<Of extends { readonly id: number }>(
  wanted: readonly Id[],
  ask: (ids: number[]) => Promise<readonly Of[]>,
): Promise<ReadonlyMap<number, Of>> {
  const ids = [...new Set(wanted)].filter((id) => typeof id === 'number');
  const parts = Array.from({ length: Math.ceil(ids.length / most) }, (_, part) =>
    ids.slice(part * most, (part + 1) * most),
  );
  const found = (await Promise.all(parts.map(ask))).flat();
  return new Map(found.map((one) => [one.id, one]));
}

/** The names of users. Whoever sees a record sees who has to do with it. */
export const usersById = (asker: PeerContext, ids: readonly Id[]) =>
  byId(ids, async (some) => {
    const users = await identity.asSystem(asker).users.byIds({ ids: some });
    return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
  });

/** The names of contacts as they are now; a contact that is gone has none. */
export const contactsById = (asker: PeerContext, ids: readonly Id[]) =>
  byId(ids, (some) => contacts.asSystem(asker).contacts.byIds({ ids: some }));

import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { contactChanged } from '@crm/events';
import {
  doPortions,
  type Publishing,
  portionWorker,
  publish,
  type Sized,
  type WorkerContext,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { takeAssignments } from '../delegations/delegated-assignment.queries.ts';
import {
  contactsToUndo,
  dueUndoings,
  lockUndoing,
  noteUndone,
  postponeUndoing,
  type Undoing,
  undoingToCome,
} from '../delegations/delegation.queries.ts';
import { leaveShares } from './repeated-share.queries.ts';
import { Share } from './share.entity.ts';

/** The number of contacts that a transaction changes in a fraction of a second. */
const maxPortion = 500;

const portionsOf = (portionSize: number) => ({
  name: 'ended delegations',
  due: dueUndoings,
  toCome: undoingToCome,
  sizeOf: () => portionSize,
  prepare: async () => undefined,
  attempt: undoPortion,
  postpone: postponeUndoing,
  rest: 0.1,
});

/** A worker that undoes what was done under delegations that have ended. */
export const endedDelegationsWorker = portionWorker(portionsOf(maxPortion));

/** Undoes what is due until nothing is left or it is stopped. */
export const undoDue = (
  context: WorkerContext,
  stopping: AbortSignal,
  portionSize = maxPortion,
): Promise<void> => doPortions(portionsOf(portionSize), context, stopping);

/** Undoes a portion in a transaction. Returns false if another instance is working on it. */
function undoPortion(
  { database, clock }: WorkerContext,
  { id: delegation_id, request_id: requestId, size }: Sized<Undoing>,
): Promise<boolean> {
  return emFor(database.orm, system).transactional(async (em) => {
    const query = queryIn(em);
    if (!(await lockUndoing(query, delegation_id))) return false;
    const ids = await contactsToUndo(query, delegation_id, size);
    if (ids.length > 0) await undoOn({ em, actor: system, requestId, now: clock }, delegation_id, ids);
    await noteUndone(query, delegation_id, ids.length < size);
    return true;
  });
}

/** Contacts are locked first, as in requests; only then is their new state determined. */
async function undoOn(ctx: Publishing, delegation_id: number, ids: readonly number[]): Promise<void> {
  const { em } = ctx;
  const among = { id: [...ids] };
  const contacts = await em.find(Contact, among, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: 1 },
  });
  const before = await takeAssignments(queryIn(em), delegation_id, ids);
  await leaveShares(queryIn(em), delegation_id, ids);
  const shares = await em.find(Share, { delegation_id, contact_id: among.id });
  const shared = Map.groupBy(shares, ({ contact_id }) => contact_id);
  for (const contact of contacts) {
    const noted = before.get(contact.id);
    const isReassigned = noted && noted.previous_user_id !== (contact.assigned_user_id ?? null);
    const assignment = isReassigned ? noted : undefined;
    const own = shared.get(contact.id) ?? [];
    // It has been undone since it was found, or another delegation did the same.
    if (!assignment && own.length === 0) continue;
    if (assignment) contact.assigned_user_id = assignment.previous_user_id;
    const ended = new Set(own.map(({ user_id }) => user_id));
    contact.shared_user_ids = contact.shared_user_ids.filter((id) => !ended.has(id));
    for (const share of own) em.remove(share);
    contact.change(ctx.now());
    const fields = [...(assignment ? ['assigned_user_id'] : []), ...(own.length > 0 ? ['shares'] : [])];
    publish(ctx, contactChanged, contact, eventData(contact, { fields }));
  }
}

import { system, type User } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { contactChanged } from '@crm/events';
import {
  byIds,
  doPortions,
  type Publishing,
  portionWorker,
  publish,
  type Sized,
  type WorkerContext,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { mayAssignTo } from '../contacts/contact.policy.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { involvedIn, takeAssignments } from '../delegations/delegated-assignment.queries.ts';
import {
  contactsToUndo,
  dueUndoings,
  lockUndoing,
  noteUndone,
  postponeUndoing,
  type Undoing,
  undoingToCome,
} from '../delegations/delegation.queries.ts';
import { identity } from '../peers.ts';
import { leaveShares } from './repeated-share.queries.ts';
import { Share } from './share.entity.ts';

/** The number of contacts that a transaction changes in a fraction of a second. */
const maxPortion = 500;

const portionsOf = (portionSize: number) => ({
  name: 'ended delegations',
  due: dueUndoings,
  toCome: undoingToCome,
  sizeOf: () => portionSize,
  prepare: askAboutPeople,
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

/** What identity knew before the transaction about those who may get a contact back, and those who decide about it. */
interface People {
  readonly asked: ReadonlySet<number>;
  /** Without disabled users. */
  readonly users: ReadonlyMap<number, User>;
}

async function askAboutPeople(
  { database, peers }: WorkerContext,
  { id, request_id: requestId, size }: Sized<Undoing>,
): Promise<People> {
  const asked = await involvedIn(database.query, await contactsToUndo(database.query, id, size));
  const users = await byIds(asked, (ids) => identity.asSystem({ peers, requestId }).actors.ofUsers({ ids }));
  return { asked: new Set(asked), users };
}

/**
 * Undoes a portion in a transaction. Returns false if another instance is working on it, or if identity has not been asked about
 * everybody who is now involved.
 */
function undoPortion(
  { database, clock }: WorkerContext,
  { id: delegation_id, request_id: requestId, size }: Sized<Undoing>,
  { asked, users }: People,
): Promise<boolean> {
  return emFor(database.orm, system).transactional(async (em) => {
    const query = queryIn(em);
    if (!(await lockUndoing(query, delegation_id))) return false;
    const ids = await contactsToUndo(query, delegation_id, size);
    // Contacts are locked first, as in requests; only then is their new state determined.
    const contacts = await em.find(
      Contact,
      { id: ids },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
    );
    if (!new Set(await involvedIn(query, ids)).isSubsetOf(asked)) return false;
    const before = await takeAssignments(query, delegation_id, ids);
    await leaveShares(query, delegation_id, ids);
    const shares = await em.find(Share, { delegation_id, contact_id: ids });
    const shared = Map.groupBy(shares, ({ contact_id }) => contact_id);
    const ctx = { em, actor: system, requestId, now: clock };
    for (const contact of contacts) {
      const noted = before.get(contact.id);
      const assignee = noted ? assigneeAfter(contact, noted, users) : contact.assigned_user_id;
      restore(ctx, contact, assignee, shared.get(contact.id) ?? []);
    }
    await noteUndone(query, delegation_id, ids.length < size);
    return true;
  });
}

/**
 * Who has a contact after the end of the delegation under which it was assigned: the previous assignee, if the owner could assign
 * it to that user now, and otherwise nobody. If the account of the owner is disabled, the current assignee decides.
 */
function assigneeAfter(
  { owner_user_id, assigned_user_id = null }: Contact,
  { previous_user_id }: { readonly previous_user_id: number | null },
  users: People['users'],
): number | null {
  if (previous_user_id === null || previous_user_id === assigned_user_id) return previous_user_id;
  const decider = users.get(owner_user_id) ?? users.get(assigned_user_id ?? owner_user_id);
  return decider && mayAssignTo(decider, previous_user_id) ? previous_user_id : null;
}

/** Removes shares of a locked contact and assigns it, and publishes that unless nothing changes. */
function restore(
  ctx: Publishing,
  contact: Contact,
  assignee: Contact['assigned_user_id'],
  ended: readonly Share[],
): void {
  const isReassigned = (assignee ?? null) !== (contact.assigned_user_id ?? null);
  // It has been undone since it was found, or another delegation did the same.
  if (!isReassigned && ended.length === 0) return;
  contact.assigned_user_id = assignee;
  const users = new Set(ended.map(({ user_id }) => user_id));
  contact.shared_user_ids = contact.shared_user_ids.filter((id) => !users.has(id));
  for (const share of ended) ctx.em.remove(share);
  contact.change(ctx.now());
  const fields = [...(isReassigned ? ['assigned_user_id'] : []), ...(ended.length > 0 ? ['shares'] : [])];
  publish(ctx, contactChanged, contact, eventData(contact, { fields }));
}

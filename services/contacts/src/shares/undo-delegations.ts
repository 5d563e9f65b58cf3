import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { doPortions, portionWorker, type Sized, type WorkerContext } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { involvedIn } from '../delegations/delegated-assignment.queries.ts';
import {
  contactsToUndo,
  dueUndoings,
  lockUndoing,
  noteUndone,
  postponeUndoing,
  type Undoing,
  undoingToCome,
} from '../delegations/delegation.queries.ts';
import { keepWhatWasDone } from '../delegations/keep-what-was-done.queries.ts';
import { askAbout, type People, undoOn } from './undo-on-contacts.ts';

/** The number of contacts that a transaction changes in a fraction of a second. */
const maxPortion = 500;

const portionsOf = (portionSize: number) => ({
  name: 'ended delegations',
  due: dueUndoings,
  toCome: undoingToCome,
  sizeOf: () => portionSize,
  prepare: askWhoIsInvolved,
  attempt: undoPortion,
  postpone: postponeUndoing,
  rest: 0.1,
});

/** A worker that undoes or keeps what was done under delegations that have ended. */
export const endedDelegationsWorker = portionWorker(portionsOf(maxPortion));

/** Undoes what is due until nothing is left or it is stopped. */
export const undoDue = (
  context: WorkerContext,
  stopping: AbortSignal,
  portionSize = maxPortion,
): Promise<void> => doPortions(portionsOf(portionSize), context, stopping);

async function askWhoIsInvolved(
  { database: { query }, peers }: WorkerContext,
  { id, request_id: requestId, size, is_kept }: Sized<Undoing>,
): Promise<People> {
  const involved = is_kept ? [] : await involvedIn(query, await contactsToUndo(query, id, size));
  return askAbout({ peers, requestId }, involved);
}

/** Undoes or keeps a portion in a transaction. Returns false if another instance is working on it, or it is not known enough. */
function undoPortion(
  { database, clock }: WorkerContext,
  { id: delegation_id, request_id: requestId, size, is_kept }: Sized<Undoing>,
  people: People,
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
    const ctx = { em, actor: system, requestId, now: clock };
    if (is_kept) await keepWhatWasDone(query, delegation_id, ids);
    else if (!(await undoOn(ctx, delegation_id, contacts, people))) return false;
    await noteUndone(query, delegation_id, ids.length < size);
    return true;
  });
}

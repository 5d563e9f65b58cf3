import { type Query, untilFewer } from '@crm/data';
import { repeatAfterCommits, type Worker, type WorkerContext } from '@crm/service';
import { clearSome, deleteRemoved, references, removedIds } from './reference.queries.ts';

const everyMs = 1_000;

/** Few enough that requests that change one of them do not wait noticeably. */
const maxPortion = 1_000;

/**
 * Removes the ids of removed hotnesses and contact sources from contacts, which no longer show them, and deletes their rows.
 */
export async function clearRemovedReferences(query: Query, portionSize = maxPortion): Promise<void> {
  for (const reference of references) {
    for (const id of await removedIds(query, reference)) {
      await untilFewer(portionSize, (most) => clearSome(query, reference, id, most));
      await deleteRemoved(query, reference, id);
    }
  }
}

export const removedReferencesWorker: Worker = async (context) =>
  repeatAfterCommits('clear removed references of contacts', everyMs, () => clear(context), context);

async function clear({ database }: WorkerContext): Promise<undefined> {
  await clearRemovedReferences(database.query);
}

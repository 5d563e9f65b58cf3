import { type Query, untilFewer } from '@crm/data';
import { repeatAfterCommits, type Worker } from '@crm/service';
import { clearSome, deleteRemoved, referring, removedIds } from './reference.queries.ts';

const everyMs = 1_000;

/** Few enough that requests that change one of them do not wait noticeably. */
const maxPortion = 1_000;

/** Clears removed categories from tasks and series, which already hide them, and deletes their rows. */
export async function clearRemovedReferences(query: Query, portionSize = maxPortion): Promise<undefined> {
  for (const id of await removedIds(query)) {
    for (const table of referring) await untilFewer(portionSize, (most) => clearSome(query, table, id, most));
    await deleteRemoved(query, id);
  }
}

export const removedReferencesWorker: Worker = async (context) =>
  repeatAfterCommits(
    'clear removed references of tasks',
    everyMs,
    () => clearRemovedReferences(context.database.query),
    context,
  );

import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeatAfterCommits, type Worker } from '@crm/service';
import { isRecipient, removeSomeTo } from './communication.queries.ts';
import { deleteRecipient, removedRecipients } from './removed-recipient.queries.ts';

const everyMs = 1_000;

/** Few enough that senders do not notice the wait. */
export const maxPortion = 1_000;

/** Removes the messages to removed contacts, in portions of one transaction each. */
export async function forgetRemovedRecipients(
  { orm, query }: Pick<Database, 'orm' | 'query'>,
  portionSize = maxPortion,
): Promise<undefined> {
  for (const id of await removedRecipients(query)) while (await forgetSome(orm, id, portionSize));
}

/** Returns whether it removed any, so that there may be more. Rows that somebody else has locked are left for the next time. */
function forgetSome(orm: Database['orm'], id: number, portionSize: number): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const removed = await removeSomeTo(query, id, portionSize);
    if (!(await isRecipient(query, id))) await deleteRecipient(query, id);
    return removed > 0;
  });
}

export const removedRecipientsWorker: Worker = async (context) =>
  repeatAfterCommits(
    'remove what was sent to removed contacts',
    everyMs,
    () => forgetRemovedRecipients(context.database),
    context,
  );

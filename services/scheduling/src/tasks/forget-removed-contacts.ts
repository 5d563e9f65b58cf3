import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeatAfterCommits, type Worker } from '@crm/service';
import { clearSomeOf, deleteRemovedContact, isNamed, removedContacts } from './removed-contact.queries.ts';

const everyMs = 1_000;

/** Few enough that requests that change one of them do not wait noticeably. */
export const maxPortion = 1_000;

/** Clears removed contacts from the tasks that refer to them, in portions of one transaction each. */
export async function forgetRemovedContacts(
  { orm, query }: Pick<Database, 'orm' | 'query'>,
  portionSize = maxPortion,
): Promise<undefined> {
  for (const id of await removedContacts(query)) while (await forgetSome(orm, id, portionSize));
}

/** Returns whether it cleared any, so that there may be more. Rows that somebody else has locked are left for the next time. */
function forgetSome(orm: Database['orm'], id: number, portionSize: number): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const cleared = await clearSomeOf(query, id, portionSize);
    if (!(await isNamed(query, id))) await deleteRemovedContact(query, id);
    return cleared > 0;
  });
}

export const removedContactsWorker: Worker = async (context) =>
  repeatAfterCommits(
    'forget removed contacts of tasks',
    everyMs,
    () => forgetRemovedContacts(context.database),
    context,
  );

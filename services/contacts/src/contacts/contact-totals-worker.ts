import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeatAtOnce, type Worker } from '@crm/service';
import { addUpTotal, ownersWithChanges, ownersWithoutBase } from './contact-total.queries.ts';

const everyMs = 30_000;

/** Keeps the totals of owners short. Any number of instances may run. */
export const contactTotalsWorker: Worker = async ({ database, log }) => {
  const { query } = database;
  // Those who have contacts from before totals were kept are looked for until there are none. All others have a row
  // since their first contact.
  let areLeft = true;
  const addUpAll = async () => {
    const older = areLeft ? await ownersWithoutBase(query) : [];
    areLeft = older.length > 0;
    for (const id of [...older, ...(await ownersWithChanges(query))]) await addUp(database, id);
  };
  return repeatAtOnce('add up contacts', everyMs, addUpAll, log);
};

const addUp = ({ orm }: Database, ownerId: number) =>
  emFor(orm, system).transactional((em) => addUpTotal(queryIn(em), ownerId));

import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeatAtOnce, type Worker } from '@crm/service';
import { addUpTotal, ownersWithChanges, ownersWithoutBase } from './contact-total.queries.ts';

const everyMs = 30_000;

/** Keeps the totals of owners short. Any number of instances may run. */
export const contactTotalsWorker: Worker = async ({ database, log }) => {
  // Whoever has contacts from before totals were kept. All others have a row since their first contact.
  let find = ownersWithoutBase;
  const addUpAll = async () => {
    for (const id of await find(database.query)) await addUp(database, id);
    find = ownersWithChanges;
  };
  return repeatAtOnce('add up contacts', everyMs, addUpAll, log);
};

const addUp = ({ orm }: Database, ownerId: number) =>
  emFor(orm, system).transactional((em) => addUpTotal(queryIn(em), ownerId));

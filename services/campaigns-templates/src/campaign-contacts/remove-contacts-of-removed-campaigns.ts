import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { repeatAfterCommits, type Worker, type WorkerContext } from '@crm/service';
import { removeSomeContacts } from './campaign-contact.queries.ts';

const everyMs = 1_000;

/** Removes the contacts of removed campaigns, in portions of one transaction each. */
export async function removeContactsOfRemovedCampaigns({
  database: { orm },
}: Pick<WorkerContext, 'database'>): Promise<undefined> {
  while (await emFor(orm, system).transactional((em) => removeSomeContacts(queryIn(em))));
}

export const removedCampaignsWorker: Worker = async (context) =>
  repeatAfterCommits(
    'remove the contacts of removed campaigns',
    everyMs,
    () => removeContactsOfRemovedCampaigns(context),
    context,
  );

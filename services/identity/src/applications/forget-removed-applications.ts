import { type Query, untilFewer } from '@crm/data';
import { repeatAfterCommits, type Worker, type WorkerContext } from '@crm/service';
import {
  deleteApplication,
  deleteSome,
  portions,
  removedApplications,
} from './removed-application.queries.ts';

const everyMs = 1_000;

/** Deletes the tokens and consents of removed applications, which are already invalid and hidden, and then the applications. */
export async function forgetRemovedApplications(query: Query): Promise<void> {
  for (const id of await removedApplications(query)) {
    for (const { table, most } of portions)
      await untilFewer(most, (limit) => deleteSome(query, table, id, limit));
    await deleteApplication(query, id);
  }
}

export const removedApplicationsWorker: Worker = async (context) =>
  repeatAfterCommits('forget removed applications', everyMs, () => forget(context), context);

async function forget({ database }: WorkerContext): Promise<undefined> {
  await forgetRemovedApplications(database.query);
}

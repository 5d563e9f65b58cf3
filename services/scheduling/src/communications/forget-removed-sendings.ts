import { repeat, type Worker } from '@crm/service';
import { forgetRemovedSendings } from './communication.queries.ts';
import { forgetRemovedEmails } from './removed-email.queries.ts';

const everyMs = 600_000;

/** Forgets addresses and numbers of removed contacts in time, even if no other contact is removed. */
export const forgetRemovedSendingsWorker: Worker = async ({ database: { query }, log }) =>
  repeat(
    'forget what was sent to removed contacts',
    everyMs,
    async () => {
      await forgetRemovedSendings(query);
      await forgetRemovedEmails(query);
    },
    log,
  );

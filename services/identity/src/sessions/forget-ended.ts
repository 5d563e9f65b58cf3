import { repeat, type Worker } from '@crm/service';
import { forgetOldMails } from '../account-mails/account-mail.queries.ts';
import { forgetOldResets } from '../password-resets/password-reset.queries.ts';
import { forgetOldCodes } from '../phones/phone-code.queries.ts';
import { forgetOldEvents } from '../security-events/security-event.queries.ts';
import { forgetUnusedDevices } from './known-device.queries.ts';
import { forgetEndedSessions } from './session.queries.ts';
import { forgetOldFailures } from './sign-in-failure.queries.ts';

const everyMs = 600_000;

/** Deletes what has expired. Only the size of the tables depends on it. */
export const forgetEnded: Worker = async ({ database: { query }, log }) => {
  const forget = async () => {
    await forgetEndedSessions(query);
    await forgetUnusedDevices(query);
    await forgetOldFailures(query);
    await forgetOldCodes(query);
    await forgetOldResets(query);
    await forgetOldMails(query);
    await forgetOldEvents(query);
  };
  return repeat('forget ended sessions', everyMs, forget, log);
};

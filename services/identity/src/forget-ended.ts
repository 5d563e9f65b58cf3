import { repeat, type Worker } from '@crm/service';
import { forgetOldResets } from './password-resets/password-reset.queries.ts';
import { forgetOldCodes } from './phones/phone-code.queries.ts';
import { forgetOldMails } from './security-events/account-mail.queries.ts';
import { forgetOldEvents } from './security-events/security-event.queries.ts';
import { forgetUnusedDevices } from './sessions/known-device.queries.ts';
import { forgetEndedSessions } from './sessions/session.queries.ts';
import { forgetOldFailures } from './sessions/sign-in-failure.queries.ts';
import { forgetAddressesOfNobody } from './unreachable-addresses/unreachable-address.queries.ts';

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
    await forgetAddressesOfNobody(query);
  };
  return repeat('forget ended sessions', everyMs, forget, log);
};

import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { forgetClientFailures } from './oauth/client-failure.queries.ts';
import { forgetCodes, forgetFamilies, forgetSalts, forgetSecrets } from './oauth/ended-grants.queries.ts';
import { forgetOldResets } from './password-resets/password-reset.queries.ts';
import { forgetOldCodes } from './phones/phone-code.queries.ts';
import { forgetOldMails } from './security-events/account-mail.queries.ts';
import { forgetOldEvents } from './security-events/security-event.queries.ts';
import { forgetUnusedDevices } from './sessions/known-device.queries.ts';
import { forgetEndedSessions } from './sessions/session.queries.ts';
import { forgetOldFailures } from './sessions/sign-in-failure.queries.ts';
import { forgetEndedTokens } from './tokens/own-tokens.queries.ts';
import { forgetAddressesOfNobody } from './unreachable-addresses/unreachable-address.queries.ts';

const everyMs = 600_000;

/** Deletes expired records every ten minutes. A failed deletion is logged and does not prevent the others. */
export const forgetting =
  (name: string, all: readonly ((query: Query) => Promise<void>)[]): Worker =>
  async ({ database: { query }, log }) => {
    const forget = async () => {
      for (const one of all)
        await one(query).catch((error: unknown) =>
          log.error({ err: error, worker: name, part: one.name }, 'a worker failed'),
        );
    };
    return repeat(name, everyMs, forget, log);
  };

/** Only limits the size of the tables: ended records have no effect. */
export const forgetEnded = forgetting('forget ended sessions and grants', [
  forgetEndedSessions,
  forgetUnusedDevices,
  forgetOldFailures,
  forgetOldCodes,
  forgetOldResets,
  forgetOldMails,
  forgetOldEvents,
  forgetEndedTokens,
  forgetAddressesOfNobody,
  forgetClientFailures,
  forgetSalts,
  forgetSecrets,
  forgetCodes,
  forgetFamilies,
]);

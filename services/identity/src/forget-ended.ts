import { forgetting } from './forgetting.ts';
import { forgetOldResets } from './password-resets/password-reset.queries.ts';
import { forgetOldCodes } from './phones/phone-code.queries.ts';
import { forgetOldMails } from './security-events/account-mail.queries.ts';
import { forgetOldEvents } from './security-events/security-event.queries.ts';
import { forgetUnusedDevices } from './sessions/known-device.queries.ts';
import { forgetEndedSessions } from './sessions/session.queries.ts';
import { forgetOldFailures } from './sessions/sign-in-failure.queries.ts';
import { forgetEndedTokens } from './tokens/own-tokens.queries.ts';
import { forgetAddressesOfNobody } from './unreachable-addresses/unreachable-address.queries.ts';

/** Only limits the size of the tables: ended records have no effect. */
export const forgetEnded = forgetting('forget ended sessions', [
  forgetEndedSessions,
  forgetUnusedDevices,
  forgetOldFailures,
  forgetOldCodes,
  forgetOldResets,
  forgetOldMails,
  forgetOldEvents,
  forgetEndedTokens,
  forgetAddressesOfNobody,
]);

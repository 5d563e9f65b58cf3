import type { SendingRules } from '@crm/delivery';
import { closesAt } from './quiet-hours.ts';
import { stateHours } from './state-hours.ts';
import { type Contactable, whereaboutsOf } from './whereabouts.ts';

/** The longest time that a carrier keeps a text waiting. */
const most = 36_000;
/** How late a text that may arrive at any hour may be, as in `maxDelay`. */
const anHour = 3_600;

/** How many seconds a text that may be sent now may wait at the carrier: not into the night of the contact. */
export function validSeconds(
  contact: Contactable,
  { quietHours }: Pick<SendingRules, 'quietHours'>,
  now: Temporal.Instant,
): number {
  if (!quietHours) return anHour;
  const left = closesAt(whereaboutsOf(contact), stateHours, now).since(now).total('seconds');
  return Math.min(most, Math.max(1, Math.floor(left)));
}

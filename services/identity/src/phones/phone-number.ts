import { invalidField } from '@crm/contract';
import { toE164 } from '@crm/delivery';
import type { User } from '../users/user.entity.ts';

const phoneError =
  'must be a phone number such as +14155552671 or (415) 555-2671; without a country code it is North American';

/**
 * A phone number in the form in which it is stored: E.164, or null for none. Forms send an empty text for none. Throws
 * BadRequest for a number that cannot be dialed.
 */
export function readPhone(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const number = toE164(text);
  if (number === undefined) throw invalidField('phone', phoneError);
  return number;
}

/** Puts a number into use. No other number awaits confirmation afterwards. */
export function setPhone(user: User, phone: string | null): void {
  user.phone = phone;
  user.pending_phone = null;
}

import { toE164 } from '@crm/delivery';
import type { DueAlert } from './alert.queries.ts';
import type { Participants } from './load-participants.ts';

type Member = Participants['members'] extends ReadonlyMap<number, infer One> ? One : never;

/** Where an alert goes, or why it goes nowhere. */
export type Recipient =
  | { readonly member: Member; readonly phone: string | null }
  | { readonly obstacle: string };

export function recipientOf({ kind, user_id }: DueAlert, { members, optedOut }: Participants): Recipient {
  const member = members.get(user_id);
  if (!member) return { obstacle: 'There is no such user.' };
  if (!member.is_active) return { obstacle: 'The account of the user is disabled.' };
  if (kind === 'Assign' || kind === 'Email') return { member, phone: null };
  if (!member.phone) return { obstacle: 'The user has no phone number.' };
  const phone = toE164(member.phone);
  if (phone === undefined) return { obstacle: 'The phone number of the user cannot be dialled.' };
  if (kind === 'Text' && optedOut.has(phone)) return { obstacle: 'The number of the user has opted out.' };
  return { member, phone };
}

import { toE164 } from '@crm/delivery';
import type { DueAlert } from './alert.queries.ts';
import type { Participants } from './load-participants.ts';

type Member = Participants['members'] extends ReadonlyMap<number, infer One> ? One : never;

/** Who receives an alert, or why nobody can. */
export type Recipient =
  | { readonly member: Member; readonly phone: string | null }
  | { readonly obstacle: string };

export function recipientOf({ kind, user_id }: DueAlert, { members, optedOut }: Participants): Recipient {
  const member = members.get(user_id);
  if (!member) return { obstacle: 'The user does not exist.' };
  if (!member.is_active) return { obstacle: "The user's account is disabled." };
  if (kind === 'Assign' || kind === 'Email') return { member, phone: null };
  if (!member.phone) return { obstacle: 'The user has no phone number.' };
  const phone = toE164(member.phone);
  if (phone === undefined) return { obstacle: "The user's phone number cannot be dialled." };
  if (kind === 'Text' && optedOut.has(phone))
    return { obstacle: "The user's phone number has opted out of texts." };
  return { member, phone };
}

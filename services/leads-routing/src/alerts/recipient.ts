import { phoneOfUser } from '@crm/delivery';
import type { DueAlert } from './alert.queries.ts';
import type { Participants } from './load-participants.ts';

type Member = Participants['members'] extends ReadonlyMap<number, infer One> ? One : never;

/** Who receives an alert and how, or why nobody does. */
export type Recipient =
  | { readonly member: Member; readonly phone: string }
  /** By e-mail; the remark says why, if another way was asked for. */
  | { readonly member: Member; readonly phone: null; readonly remark: string | null }
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string };

export function recipientOf(alert: DueAlert, { members, optedOut }: Participants): Recipient {
  const { kind, user_id, has_other_alert } = alert;
  const member = members.get(user_id);
  if (!member) return { state: 'Failed', reason: 'The user does not exist.' };
  if (!member.is_active) return { state: 'Failed', reason: "The user's account is disabled." };
  if (kind === 'Assign' || kind === 'Email') return { member, phone: null, remark: null };
  const reached = phoneOfUser(member, kind, optedOut);
  if ('phone' in reached) return { member, phone: reached.phone };
  const { obstacle } = reached;
  if (has_other_alert) return { state: 'Dropped', reason: `${obstacle} The user gets another alert.` };
  return { member, phone: null, remark: `${obstacle} An e-mail was sent instead.` };
}

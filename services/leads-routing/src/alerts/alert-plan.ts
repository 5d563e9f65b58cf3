import { nameOf, remarkOn } from '@crm/delivery';
import type { Plan } from '@crm/dispatch';
import { claimToken } from '../claim-links/claim-token.ts';
import type { Settings } from '../settings.ts';
import type { DueAlert } from './alert.queries.ts';
import { type AlertFacts, callWords, emailWords, textWords } from './alert-words.ts';
import type { Participants } from './load-participants.ts';
import { recipientOf } from './recipient.ts';

/** The message of an alert, or the reason not to send it. An assignment has no message. */
export function alertPlan(settings: Settings, alert: DueAlert, participants: Participants): Plan | undefined {
  const recipient = recipientOf(alert, participants);
  if ('state' in recipient) return recipient;
  const { user_id, lead_id } = alert;
  const { member, way } = recipient;
  if (!way) return undefined;
  const { publicUrl } = settings.delivery;
  const token = claimToken(settings.claimKey, { lead_id, user_id, via: way.by }, alert.due_seconds);
  const facts: AlertFacts = {
    ...alert,
    contact: nameOf(seenContact(alert, participants), 'Unknown contact'),
    member: nameOf(member, 'there'),
    isAssigned: alert.claimed_by_user_id === user_id || alert.fallback_reason !== null,
    link: `${publicUrl}/claim/${token}`,
  };
  const { by, phone: to } = way;
  const remark = remarkOn(way);
  if (by === 'Email') {
    const mailbox = { name: nameOf(member, ''), address: member.email };
    return { send: { email: { to: mailbox, ...emailWords(facts) } }, remark };
  }
  if (by === 'Text') return { send: { text: { to, text: textWords(facts) } }, remark };
  const key_press_url = `${publicUrl}/callbacks/key-presses/${token}`;
  return {
    send: { call: { to, say: callWords(facts), ...(!facts.isAssigned && { key_press_url }) } },
    remark,
  };
}

/** The contact of a lead, as long as the creator of the lead sees it. */
function seenContact({ contact_id, creator_user_id }: DueAlert, { leadContacts, seen }: Participants) {
  const id = contact_id ?? 0;
  return seen.get(creator_user_id)?.has(id) ? leadContacts.get(id) : undefined;
}

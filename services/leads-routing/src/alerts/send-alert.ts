import type { Query } from '@crm/data';
import type { Delivery, Outcome } from '@crm/delivery';
import { settlementOf } from '@crm/dispatch';
import { claimToken } from '../claim-links/claim-token.ts';
import { nameOf } from '../leads/lead-words.ts';
import type { Settings } from '../settings.ts';
import { beginSending, type DueAlert, settle } from './alert.queries.ts';
import { type AlertFacts, callWords, emailWords, textWords } from './alert-words.ts';
import { fault } from './fault.ts';
import type { Participants } from './load-participants.ts';
import { type Recipient, recipientOf } from './recipient.ts';

export interface Sending extends Settings {
  readonly query: Query;
  readonly send: Delivery;
}

type Reached = Exclude<Recipient, { readonly obstacle: string }>;

/** Sends one alert to a provider and stores the outcome. */
export async function sendAlert(work: Sending, alert: DueAlert, participants: Participants): Promise<void> {
  const recipient = recipientOf(alert, participants);
  if ('obstacle' in recipient) {
    return settle(work.query, alert, { state: 'Failed', reason: recipient.obstacle });
  }
  if (!(await beginSending(work.query, alert, recipient.phone))) return;
  await fault('alert.begun');
  const outcome = await send(work, alert, recipient, participants);
  await fault('alert.sent');
  const mayRepeat = alert.kind === 'Email' || work.delivery.carrier.honoursKeys;
  await settle(work.query, alert, settlementOf(outcome, alert, mayRepeat));
}

function send(
  work: Sending,
  alert: DueAlert,
  { member, phone }: Reached,
  { leadContacts }: Participants,
): Promise<Outcome> {
  const { key, kind, user_id, lead_id } = alert;
  const { publicUrl } = work.delivery;
  const via = kind === 'Assign' ? 'Email' : kind;
  const token = claimToken(work.claimKey, { lead_id, user_id, via }, alert.due_seconds);
  const facts: AlertFacts = {
    ...alert,
    contact: nameOf(leadContacts.get(alert.contact_id ?? 0), 'Unknown contact'),
    member: nameOf(member, 'there'),
    isAssigned: alert.claimed_by_user_id === user_id,
    link: `${publicUrl}/claim/${token}`,
  };
  const to = phone ?? '';
  switch (kind) {
    case 'Text':
      return work.send.text({ key, to, text: textWords(facts) });
    case 'Phone': {
      const key_press_url = `${publicUrl}/callbacks/key-presses/${token}`;
      return work.send.call({ key, to, say: callWords(facts), ...(!facts.isAssigned && { key_press_url }) });
    }
    default: {
      const mailbox = { name: nameOf(member, ''), address: member.email };
      return work.send.email({ key, to: mailbox, ...emailWords(facts) });
    }
  }
}

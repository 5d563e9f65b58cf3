import { type DeliveryConfig, nameOf } from '@crm/delivery';
import type { Plan } from '@crm/dispatch';
import { decide, type Rules } from '../sending-rules/decide.ts';
import { validSeconds } from '../sending-rules/valid-seconds.ts';
import { type Addressed, addressed } from './addressed.ts';
import { type DueCommunication, waitsUntil } from './communication-dispatch.queries.ts';
import { emailBody, unsubscribeUrlOf } from './email-body.ts';
import type { Participants } from './load-participants.ts';
import { callWords, remarkOn } from './words.ts';

/** The current message of a communication, or when it may be sent, or why it cannot be. */
export function communicationPlan(
  delivery: DeliveryConfig,
  due: DueCommunication,
  participants: Participants,
  now: Date,
): Plan {
  const found = addressed({ ...due, unsubscribe_url: unsubscribeUrlOf(delivery, due.key) }, participants);
  if ('obstacle' in found)
    return { state: found.isContactRemoved ? 'Dropped' : 'Failed', reason: found.obstacle };
  const lost = whatIsLost(due, participants);
  if (lost) return { state: 'Failed', reason: lost };
  const decision = decisionOn(due, found, rulesOf(delivery), now);
  if (decision.is === 'refuse') return { state: 'Failed', reason: decision.because };
  if (decision.is === 'move') {
    const until = decision.until.toString();
    return { state: 'Moved', reason: waitsUntil(until, decision.because), until };
  }
  return messagePlan(delivery, due, found, now);
}

/** The access that the user who put the contact into the campaign has lost since. */
function whatIsLost(
  { contact_id, enrolled_by_user_id: user, delegation_id }: DueCommunication,
  { rights }: Participants,
): string | undefined {
  if (user !== null && !rights.users.has(user))
    return 'The account of the user who put the contact into the campaign is disabled.';
  if (user !== null && !rights.sees(user, contact_id))
    return 'The user who added the contact to the campaign can no longer see the contact.';
  if (!rights.stands(delegation_id))
    return 'The broker who put the contact into the campaign may no longer act for the user.';
  return undefined;
}

export const rulesOf = ({ rules, carrier: { allowedCountries } }: DeliveryConfig): Rules => ({
  ...rules,
  allowedCountries,
});

function decisionOn(due: DueCommunication, found: Addressed, rules: Rules, now: Date) {
  const { type, contact_full_since, account_full_since } = due;
  const { to, objection } = found;
  return decide(
    {
      type,
      to,
      objection,
      contact: contactableOf(found),
      contactFullSince: contact_full_since,
      accountFullSince: account_full_since,
      // Determined by the final check, which sees what is being sent at the same time.
      numberFullSince: null,
      isRepeated: false,
    },
    rules,
    now.toTemporalInstant(),
  );
}

/** The location of the recipient, from the number that is texted or that the sender is asked to call. */
export const contactableOf = ({ recipient, sender, to, about }: Addressed) => ({
  number: about?.number ?? to,
  zone: recipient.timezone,
  addresses: recipient.addresses,
  senderZone: sender.timezone,
});

function messagePlan(delivery: DeliveryConfig, due: DueCommunication, found: Addressed, now: Date): Plan {
  const { mailFrom, postalAddress } = delivery;
  const { sender, recipient, message, to, about } = found;
  const remark = remarkOn(message);
  switch (due.type) {
    case 'Email Contact': {
      const name = nameOf(sender, mailFrom.name ?? '');
      const unsubscribe_url = unsubscribeUrlOf(delivery, due.key);
      const email = {
        // Only the configured address may send through the mail server; replies go to the sender.
        from: { name, address: mailFrom.address },
        reply_to: { name, address: sender.email },
        to: { name: nameOf(recipient, ''), address: to },
        subject: message.subject,
        ...emailBody(message.body, unsubscribe_url, postalAddress),
        unsubscribe_url,
      };
      return { remark, send: { email } };
    }
    case 'Text Contact': {
      const valid_seconds = validSeconds(contactableOf(found), delivery.rules, now.toTemporalInstant());
      return { remark, send: { text: { to, text: message.body, valid_seconds } } };
    }
    case 'Call Contact': {
      const say = callWords({ sender, recipient, about, message: message.body });
      return { remark, send: { call: { to, say } }, ...(about && { about: about.number }) };
    }
  }
}

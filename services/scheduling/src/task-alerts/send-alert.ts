import type { Query } from '@crm/data';
import type { Delivery, Outcome } from '@crm/delivery';
import { type Settlement, settlementOf } from '@crm/dispatch';
import { nameOf } from '../dispatch/words.ts';
import type { Settings } from '../settings.ts';
import { callWords, emailWords, textWords } from './alert-words.ts';
import { fault } from './fault.ts';
import type { Participants } from './load-participants.ts';
import { type Recipient, recipientOf } from './recipient.ts';
import { beginSending, type DispatchOutcome, type DueAlert, settle } from './task-alert.queries.ts';

export interface Sending extends Settings {
  readonly query: Query;
  readonly send: Delivery;
}

type Reached = Extract<Recipient, { readonly assignee: object }>;

/** Sends one alert to a provider, and stores the outcome. */
export async function sendAlert(work: Sending, alert: DueAlert, participants: Participants): Promise<void> {
  const { query, delivery } = work;
  const recipient = recipientOf(alert, participants);
  if ('state' in recipient) return settle(query, alert, { ...recipient, seconds: 0 });
  if (!(await beginSending(query, alert, recipient.assignee.id))) {
    // The next attempt sees what was changed.
    return settle(query, alert, { state: 'Waiting', reason: 'The task was being changed.', seconds: 1 });
  }
  await fault('task-alert.begun');
  const outcome = await sendTo(work.send, alert, recipient, participants);
  await fault('task-alert.sent');
  const mayRepeat = recipient.channel === 'Email' || delivery.carrier.honoursKeys;
  await settle(query, alert, outcomeOf(settlementOf(outcome, alert, mayRepeat)));
}

/** The outcome of an attempt, as it is stored. */
export const outcomeOf = (settlement: Settlement): DispatchOutcome => ({
  state: settlement.state,
  reason: settlement.state === 'Done' ? null : settlement.reason,
  seconds: settlement.state === 'Waiting' ? settlement.seconds : 0,
});

function sendTo(
  send: Delivery,
  alert: DueAlert,
  { assignee, channel, phone }: Reached,
  { people, about }: Participants,
): Promise<Outcome> {
  const owner = people.get(alert.owner_user_id);
  const facts = { ...alert, assignee, owner, contact: about.get(alert.contact_id ?? 0) };
  const { key } = alert;
  switch (channel) {
    case 'Text':
      return send.text({ key, to: phone, text: textWords(facts) });
    case 'Phone':
      return send.call({ key, to: phone, say: callWords(facts) });
    case 'Email':
      return send.email({
        key,
        to: { name: nameOf(assignee, ''), address: assignee.email },
        ...emailWords(facts),
      });
  }
}

import type { Delivery, DeliveryConfig, Outcome } from '@crm/delivery';
import { settlementOf } from '@crm/dispatch';
import { type Addressed, addressed } from './addressed.ts';
import type { Beginning, DispatchOutcome, DueCommunication } from './communication-dispatch.queries.ts';
import { fault } from './fault.ts';
import type { Participants } from './load-participants.ts';
import { textOfHtml } from './text-of-html.ts';
import { callWords, nameOf, remarkOn } from './words.ts';

export interface Sending {
  readonly delivery: DeliveryConfig;
  readonly send: Delivery;
  /** The final check: whether it may be sent now. */
  readonly begin: (beginning: Beginning) => Promise<boolean>;
  readonly settle: (outcome: DispatchOutcome) => Promise<void>;
}

/** Sends one communication to a provider, and stores the outcome. */
export async function sendCommunication(
  { delivery, send, begin, settle }: Sending,
  due: DueCommunication,
  participants: Participants,
): Promise<void> {
  const { id, attempts } = due;
  const message = addressed(due, participants);
  if ('obstacle' in message) {
    const state = message.isContactRemoved ? 'Dropped' : 'Failed';
    return settle({ id, attempts, state, reason: message.obstacle, seconds: 0 });
  }
  if (!(await begin({ id, attempts, sent_to: message.to }))) return;
  await fault('communication.begun');
  const outcome = await sendTo(send, delivery, due, message);
  await fault('communication.sent');
  const mayRepeat = due.type === 'Email Contact' || delivery.carrier.honoursKeys;
  await settle(outcomeOf(due, settlementOf(outcome, due, mayRepeat), remarkOn(message.message)));
}

/** The outcome of an attempt, in the states of a communication. */
export function outcomeOf(
  { id, attempts }: DueCommunication,
  settlement: ReturnType<typeof settlementOf>,
  remark: string | null = null,
): DispatchOutcome {
  switch (settlement.state) {
    case 'Done':
      return { id, attempts, state: 'Sent', reason: remark, seconds: 0 };
    case 'Failed':
      return { id, attempts, state: 'Failed', reason: settlement.reason, seconds: 0 };
    case 'Waiting':
      return { id, attempts, state: 'Scheduled', reason: settlement.reason, seconds: settlement.seconds };
  }
}

function sendTo(
  send: Delivery,
  { mailFrom }: DeliveryConfig,
  { key, type }: DueCommunication,
  { sender, recipient, message, to, about }: Addressed,
): Promise<Outcome> {
  switch (type) {
    case 'Email Contact': {
      const name = nameOf(sender, mailFrom.name ?? '');
      return send.email({
        key,
        // Only the configured address may send through the mail server; replies go to the sender.
        from: { name, address: mailFrom.address },
        reply_to: { name, address: sender.email },
        to: { name: nameOf(recipient, ''), address: to },
        subject: message.subject,
        html: message.body,
        text: textOfHtml(message.body),
      });
    }
    case 'Text Contact':
      return send.text({ key, to, text: message.body });
    case 'Call Contact':
      return send.call({
        key,
        to,
        say: callWords({ sender, recipient, number: about ?? '', message: message.body }),
      });
  }
}

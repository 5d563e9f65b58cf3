import type { DeliveryConfig } from '@crm/delivery';
import type { Plan } from '@crm/dispatch';
import { addressed } from './addressed.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';
import type { Participants } from './load-participants.ts';
import { textOfHtml } from './text-of-html.ts';
import { callWords, nameOf, remarkOn } from './words.ts';

/** The message of a communication as it is now, or why it cannot be sent. */
export function communicationPlan(
  { mailFrom }: DeliveryConfig,
  due: DueCommunication,
  participants: Participants,
): Plan {
  const found = addressed(due, participants);
  if ('obstacle' in found)
    return { state: found.isContactRemoved ? 'Dropped' : 'Failed', reason: found.obstacle };
  const { sender, recipient, message, to, about } = found;
  const remark = remarkOn(message);
  switch (due.type) {
    case 'Email Contact': {
      const name = nameOf(sender, mailFrom.name ?? '');
      const email = {
        // Only the configured address may send through the mail server; replies go to the sender.
        from: { name, address: mailFrom.address },
        reply_to: { name, address: sender.email },
        to: { name: nameOf(recipient, ''), address: to },
        subject: message.subject,
        html: message.body,
        text: textOfHtml(message.body),
      };
      return { remark, send: { email } };
    }
    case 'Text Contact':
      return { remark, send: { text: { to, text: message.body } } };
    case 'Call Contact': {
      const say = callWords({ sender, recipient, number: about ?? '', message: message.body });
      return { remark, send: { call: { to, say } } };
    }
  }
}

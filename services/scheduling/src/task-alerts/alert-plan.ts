import type { Plan } from '@crm/dispatch';
import { nameOf } from '../dispatch/words.ts';
import { callWords, emailWords, textWords } from './alert-words.ts';
import type { Participants } from './load-participants.ts';
import { recipientOf } from './recipient.ts';
import type { DueAlert } from './task-alert.queries.ts';

/** The message of an alert to the assignee of a task, or why there is none. */
export function alertPlan(alert: DueAlert, participants: Participants): Plan {
  const recipient = recipientOf(alert, participants);
  if ('state' in recipient) return recipient;
  const { assignee } = recipient;
  const owner = participants.people.get(alert.owner_user_id);
  const contact = participants.about.get(alert.contact_id ?? 0);
  const facts = { ...alert, assignee, owner, contact };
  const user_id = assignee.id;
  if (recipient.channel === 'Email') {
    const mailbox = { name: nameOf(assignee, ''), address: assignee.email };
    return { user_id, send: { email: { to: mailbox, ...emailWords(facts) } }, remark: recipient.remark };
  }
  const { channel, phone: to } = recipient;
  if (channel === 'Text') return { user_id, send: { text: { to, text: textWords(facts) } } };
  return { user_id, send: { call: { to, say: callWords(facts) } } };
}

import { nameOf, remarkOn } from '@crm/delivery';
import type { Plan } from '@crm/dispatch';
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
  const { by, phone: to } = recipient;
  const remark = remarkOn(recipient);
  if (by === 'Email') {
    const mailbox = { name: nameOf(assignee, ''), address: assignee.email };
    return { user_id, send: { email: { to: mailbox, ...emailWords(facts) } }, remark };
  }
  if (by === 'Text') return { user_id, send: { text: { to, text: textWords(facts) } }, remark };
  return { user_id, send: { call: { to, say: callWords(facts) } }, remark };
}

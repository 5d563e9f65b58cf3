import { peopleOf } from '@crm/auth';
import { extensionOf, type NumberToCall, numberToCall, toE164 } from '@crm/delivery';
import { type Message, messageOf } from '../communications/message-of.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';
import type { Participants } from './load-participants.ts';

type One<Of> = Of extends ReadonlyMap<number | string, infer Value> ? Value : never;
export type Recipient = One<Participants['recipients']>;
export type Sender = One<Participants['senders']>;

/** A message and its destination. */
export interface Addressed {
  readonly sender: Sender;
  readonly recipient: Recipient;
  readonly message: Message;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
  /** For a call: the number that the sender is asked to call. */
  readonly about: NumberToCall | null;
  /** Why the recipient must not get such messages, if that is so. */
  readonly objection: string | null;
}

/** Why a communication cannot be sent. If the contact was removed, nobody can do anything about it. */
interface Obstacle {
  readonly obstacle: string;
  readonly isContactRemoved: boolean;
}

const because = (obstacle: string, isContactRemoved = false): Obstacle => ({ obstacle, isContactRemoved });

/** The fields that determine the destination of a message and who sends it. */
type Unaddressed = Pick<
  DueCommunication,
  'type' | 'contact_id' | 'send_from_user_id' | 'enrolled_by_user_id' | 'template_subject' | 'body'
> & { readonly unsubscribe_url: string };

/** The current message and its destination, or why it cannot be sent. */
export function addressed(due: Unaddressed, participants: Participants): Addressed | Obstacle {
  const recipient = participants.recipients.get(due.contact_id);
  if (!recipient) return because('The contact was removed.', true);
  const sender = participants.senders.get(due.send_from_user_id);
  if (!sender) return because('The sender does not exist.');
  const lost = whatSenderLost(sender, due, participants);
  if (lost) return because(lost);
  const message = messageOf(due, recipient, sender);
  const all = { sender, recipient, message, about: null, objection: null };
  switch (due.type) {
    case 'Email Contact':
      if (isBlank(message.subject) && isBlank(message.body))
        return because('The e-mail has neither a subject nor a body.');
      if (!recipient.email) return because('The contact has no e-mail address.');
      return { ...all, to: recipient.email, objection: objectionTo('e-mails', recipient.email_opt_out) };
    case 'Text Contact': {
      if (isBlank(message.body)) return because('The text is empty.');
      const number = recipient.mobile_phone_e164;
      if (!number) return because(whyWithoutNumber(recipient));
      if (extensionOf(recipient.mobile_phone) !== undefined)
        return because('The mobile phone number of the contact has an extension, which texts do not reach.');
      return { ...all, to: number, objection: objectionTo('texts', recipient.text_opt_out) };
    }
    case 'Call Contact': {
      const about = numberToCall(recipient);
      if (!about) return because('The contact has no phone number that can be dialed.');
      if (!sender.phone) return because('The sender has no phone number.');
      const to = toE164(sender.phone);
      return to === undefined
        ? because('The phone number of the sender cannot be dialed.')
        : { ...all, to, about, objection: objectionToCall(participants.leftAlone.get(about.number)) };
    }
  }
}

/** The access without which nobody may send in the name of a user. */
function whatSenderLost(
  { id, is_active }: Sender,
  { contact_id, enrolled_by_user_id }: Unaddressed,
  { rights }: Participants,
): string | undefined {
  if (!is_active) return 'The account of the sender is disabled.';
  if (!rights.sees(id, contact_id)) return 'The sender can no longer see the contact.';
  const user = rights.users.get(enrolled_by_user_id ?? id);
  return user && !peopleOf(user).has(id)
    ? 'The sender does not work with the user who added the contact to the campaign.'
    : undefined;
}

const whyWithoutNumber = ({ mobile_phone }: Recipient): string =>
  mobile_phone
    ? 'The mobile phone number of the contact cannot be dialed.'
    : 'The contact has no mobile phone number.';

const isBlank = (text: string) => text.trim() === '';

/** Why nobody is asked to call a number, if its owner asked to be left alone. */
function objectionToCall(by: One<Participants['leftAlone']> | undefined): string | null {
  if (by === undefined) return null;
  return by === 'opting out'
    ? 'The number has opted out of texts. Ask the contact in another way before you call.'
    : 'The contact asked by text to be left alone. Decide about that before you call.';
}

/** Why the recipient must not get such messages, if somebody opted out. */
function objectionTo(messages: string, source: Recipient['text_opt_out']): string | null {
  if (source === null) return null;
  if (source === 'Agent') return `The contact was opted out of ${messages}.`;
  const what = messages === 'texts' ? 'number' : 'address';
  if (source === 'Bounce') return `The ${what} of the contact cannot be reached.`;
  return `The ${what} of the contact has opted out.`;
}

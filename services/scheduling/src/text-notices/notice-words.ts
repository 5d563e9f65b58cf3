import { type DeliveryConfig, type Named, nameOf, type TextMeaning } from '@crm/delivery';

interface Alert {
  /** The name of the contact. */
  readonly contact: string;
  readonly from_number: string;
  readonly body: string;
  readonly meaning: TextMeaning;
  /** The URL at which an agent decides about paused texts. */
  readonly decide_url: string;
}

/** The effect of a text, if any. */
const consequence = ({ meaning, decide_url }: Alert): string | undefined => {
  switch (meaning) {
    case 'stop':
      return 'This number gets no more texts.';
    case 'start':
      return 'This number may get texts again.';
    case 'help':
      return 'The reply gave the name of the sender, how to stop the texts and whom to ask.';
    case 'pause':
      return `Texts to this number are paused until you decide whether they continue: ${decide_url}`;
    case 'other':
      return undefined;
  }
};

/** The e-mail that notifies an agent of a text. */
export function alertWords(alert: Alert) {
  const { contact, from_number, body, meaning } = alert;
  const followUp = consequence(alert);
  const lines = [
    `${contact} (${from_number}) has sent a text:`,
    '',
    body,
    '',
    ...(followUp === undefined ? [] : [followUp, '']),
  ];
  const subject = meaning === 'pause' ? `${contact} asks to be left alone` : `Text from ${contact}`;
  return { subject, text: lines.join('\n') };
}

interface Sender extends Named {
  readonly phone: string | null;
  readonly email: string;
}

/** The reply to HELP. Carriers require the name of the sender in it, and how to reach the sender. */
export function helpWords(
  user: Sender | undefined,
  { name = '', address }: DeliveryConfig['mailFrom'],
): string {
  const sender = nameOf(user, name);
  const whose = sender === '' ? 'These texts are about real estate.' : `These texts are from ${sender}.`;
  const whom = user?.phone ?? user?.email ?? address;
  return `${whose} Reply STOP to end them or START to get them again. Questions: ${whom}`;
}

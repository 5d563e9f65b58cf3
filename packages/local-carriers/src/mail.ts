import { randomUUID } from 'node:crypto';
import type { Address } from 'postal-mime';

export interface CaughtMail {
  readonly id: string;
  readonly message_id: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly reply_to: readonly string[];
  readonly subject: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly received_at: Date;
  /** How often this Message-ID arrived. */
  readonly deliveries: number;
}

/** Loaded with the first message. */
let parser: Promise<typeof import('postal-mime')> | undefined;

/** Parses a message that came over SMTP. The recipients are those of the envelope. */
export async function readMail(raw: Buffer, to: readonly string[]): Promise<CaughtMail> {
  parser ??= import('postal-mime');
  const { default: PostalMime } = await parser;
  const mail = await PostalMime.parse(raw);
  return {
    id: randomUUID(),
    message_id: mail.messageId,
    from: mail.from ? shown(mail.from) : '',
    to,
    reply_to: (mail.replyTo ?? []).map(shown),
    subject: mail.subject ?? '',
    text: mail.text,
    html: mail.html,
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    received_at: new Date(),
    deliveries: 1,
  };
}

export function keyOf({ message_id }: CaughtMail): string | undefined {
  return message_id?.replace(/^<|@[^@]*$/g, '');
}

function shown({ name, address = '' }: Address): string {
  return name ? `${name} <${address}>` : address;
}

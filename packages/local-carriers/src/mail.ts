import { randomUUID } from 'node:crypto';
import type { Address, Email } from 'postal-mime';

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

/** A message received over SMTP, which is parsed only when it is read. */
export interface UnreadMail
  extends Pick<CaughtMail, 'id' | 'message_id' | 'to' | 'received_at' | 'deliveries'> {
  readonly raw: Buffer;
}

/** The recipients are those of the envelope. */
export const unreadMail = (raw: Buffer, to: readonly string[]): UnreadMail => ({
  id: randomUUID(),
  message_id: messageIdOf(raw),
  to,
  received_at: new Date(),
  deliveries: 1,
  raw,
});

function messageIdOf(raw: Buffer): string | undefined {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? raw.length : end);
  return /^message-id:\s*(\S+)/im.exec(header)?.[1];
}

const parsed = new WeakMap<Buffer, Promise<Email>>();

async function parse(raw: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  return PostalMime.parse(raw);
}

export async function readMail({ raw, ...known }: UnreadMail): Promise<CaughtMail> {
  const mail = await parsed.getOrInsertComputed(raw, parse);
  return {
    ...known,
    from: mail.from ? shown(mail.from) : '',
    reply_to: (mail.replyTo ?? []).map(shown),
    subject: mail.subject ?? '',
    text: mail.text,
    html: mail.html,
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  };
}

export function keyOf({ message_id }: UnreadMail): string | undefined {
  return message_id?.replace(/^<|@[^@]*$/g, '');
}

function shown({ name, address = '' }: Address): string {
  return name ? `${name} <${address}>` : address;
}

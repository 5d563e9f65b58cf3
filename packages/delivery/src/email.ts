import { breaksHeader, type Mailbox, mailboxError } from './mailbox.ts';

export interface Email {
  /** The key of the row that is sent; the same row always has the same. */
  readonly key: string;
  /** Default: the configured sender. */
  readonly from?: Mailbox;
  readonly to: Mailbox;
  readonly reply_to?: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Where the recipient's mail program posts an unsubscribe request (RFC 8058); only for campaigns. */
  readonly unsubscribe_url?: string;
}

/** Why an e-mail must not be sent: a value would inject another header. */
export function emailError({ from, to, reply_to, subject }: Email): string | undefined {
  if (breaksHeader(subject)) return 'The subject contains a line break or another control character.';
  for (const mailbox of [from, to, reply_to]) {
    const error = mailbox && mailboxError(mailbox);
    if (error) return error;
  }
  return undefined;
}

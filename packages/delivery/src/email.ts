import { breaksHeader, faultOfMailbox, type Mailbox } from './mailbox.ts';

export interface Email {
  /** The key of the row that is sent; the same row always has the same. */
  readonly key: string;
  /** The configured sender, if none is named. */
  readonly from?: Mailbox;
  readonly to: Mailbox;
  readonly reply_to?: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Why an e-mail must not be handed to anybody: a header of it would hold more than it shows. */
export function faultOf({ from, to, reply_to, subject }: Email): string | undefined {
  if (breaksHeader(subject)) return 'The subject has a line break or another control character.';
  for (const mailbox of [from, to, reply_to]) {
    const fault = mailbox && faultOfMailbox(mailbox);
    if (fault) return fault;
  }
  return undefined;
}

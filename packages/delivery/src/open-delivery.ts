import type { CarrierOptions, PhoneCall, Text } from './carrier.ts';
import type { Email } from './email.ts';
import type { MayStillSend } from './email-attempt.ts';
import type { Lost, Search } from './find-sent.ts';
import type { Mailbox } from './mailbox.ts';
import { openCarrier } from './open-carrier.ts';
import { type Outcome, refused } from './outcome.ts';

export interface MailOptions {
  readonly smtpUrl: string;
  readonly mailFrom: Mailbox;
}

/** Without a carrier, texts and calls are refused. */
export interface Providers extends MailOptions {
  readonly carrier?: CarrierOptions | undefined;
}

interface Timeouts {
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  /** The time limit of an e-mail: a server may examine it before accepting it (RFC 5321, 4.5.3.2.6), or delay it before that. */
  readonly emailTimeoutMs: number;
}

/** How many e-mails can be in transit to a mail server at once: one per connection. */
export const emailsAtOnce = 10;

/**
 * Every result from a provider or the network is an Outcome; these functions throw only for an invalid key. A message that has
 * not started to be sent within three seconds is not sent at all, because its check may be outdated. An e-mail still is, if
 * `mayStillSend` allows it immediately before.
 */
export interface Delivery {
  email(email: Email, mayStillSend?: MayStillSend): Promise<Outcome>;
  /** A number without a country code is read as North American. */
  text(text: Text): Promise<Outcome>;
  call(call: PhoneCall): Promise<Outcome>;
  /** Asks the carrier for texts or calls that may be the one whose response was lost. */
  find(lost: Lost): Promise<Search>;
  /** Sends no more e-mails. Those being sent get the outcome `failed` or `unknown`. */
  endEmails(): Promise<void>;
  /** Ends e-mails as well, and closes the other connections when pending texts and calls are sent. */
  close(): Promise<void>;
}

export function openDelivery(
  { smtpUrl, mailFrom, carrier }: Providers,
  { timeoutMs, emailTimeoutMs }: Timeouts,
): Delivery {
  let mail: ReturnType<typeof openMail> | undefined;
  // The package is large, and many processes never send an e-mail.
  const openMail = async () =>
    (await import('./mail-server.ts')).openMailServer({
      smtpUrl,
      mailFrom,
      timeoutMs: emailTimeoutMs,
      maxConnections: emailsAtOnce,
    });
  const endEmails = async () => (await mail)?.close();
  const phone = carrier ? openCarrier(carrier, timeoutMs) : noCarrier;
  return {
    async email(email, mayStillSend = async () => false) {
      mail ??= openMail();
      return (await mail).send(email, mayStillSend);
    },
    text: phone.text,
    call: phone.call,
    find: phone.find,
    endEmails,
    async close() {
      await endEmails();
      await phone.close();
    },
  };
}

const reason = 'No carrier is configured.';
const noCarrier: Pick<Delivery, 'text' | 'call' | 'find' | 'close'> = {
  text: async () => refused(reason),
  call: async () => refused(reason),
  find: async () => ({ is: 'unavailable', reason }),
  close: async () => undefined,
};

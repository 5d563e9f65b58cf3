import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { demandsTls } from './demands-tls.ts';
import { type Email, emailError } from './email.ts';
import { keyHeader, messageIdOf } from './key.ts';
import { limited, startMs } from './limited.ts';
import type { Mailbox } from './mailbox.ts';
import { mimeText } from './mime-text.ts';
import { type Outcome, refused, sent } from './outcome.ts';
import { outcomeOfFailure } from './smtp-failure.ts';

interface MailServerOptions {
  readonly smtpUrl: string;
  readonly mailFrom: Mailbox;
  readonly timeoutMs: number;
  readonly maxConnections: number;
}

/** Sends e-mails through a few kept connections to one SMTP server. */
export function openMailServer({ smtpUrl, mailFrom, timeoutMs, maxConnections }: MailServerOptions) {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: demandsTls(smtpUrl),
    pool: true,
    maxConnections,
    // A kept connection that the server has closed is noticed before any part of the message is sent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  /** The bodies being sent, by the signal of their attempt, to find out whether any part of one was sent. */
  const bodies = new WeakMap<AbortSignal, Readable>();
  transport.use('stream', ({ message, data: { signal } }, done) => {
    try {
      const text = mimeText(message);
      message.createReadStream = () => {
        const body = Readable.from(text, { objectMode: false });
        if (signal) bodies.set(signal, body);
        return body;
      };
    } catch (error) {
      return done(error as Error);
    }
    done();
  });

  async function send(email: Email): Promise<Outcome> {
    const { key, from = mailFrom, to, reply_to, subject, text, html, unsubscribe_url } = email;
    const messageId = messageIdOf(key, from.address);
    const error = emailError(email);
    if (error) return refused(error);
    const { signal, ...attempt } = limited(timeoutMs);
    const isBegun = () => bodies.get(signal)?.readableDidRead ?? false;
    const timer = setTimeout(
      () => isBegun() || attempt.abort(new Error('The mail server is too slow.')),
      startMs,
    );
    try {
      await transport.sendMail({
        messageId,
        // Servers that report about deliveries repeat the id (RFC 3461).
        dsn: { id: key, return: 'headers', notify: 'failure', recipient: to.address },
        from: headerOf(from),
        to: headerOf(to),
        ...(reply_to && { replyTo: headerOf(reply_to) }),
        subject,
        text,
        ...(html !== undefined && { html }),
        headers: { [keyHeader]: key, ...(unsubscribe_url && unsubscribeHeaders(unsubscribe_url)) },
        signal,
      });
      return sent(messageId);
    } catch (error) {
      return outcomeOfFailure(error, isBegun());
    } finally {
      clearTimeout(timer);
      attempt.end();
    }
  }
  return { send, close: () => transport.close({ force: true }) };
}

const headerOf = ({ name = '', address }: Mailbox) => ({ name, address });

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

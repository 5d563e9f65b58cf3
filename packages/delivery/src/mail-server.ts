import { createTransport } from 'nodemailer';
import { acceptsUtf8, needsUtf8 } from './accepts-utf8.ts';
import { demandsTls } from './demands-tls.ts';
import { type Email, emailError } from './email.ts';
import { type EmailAttempt, emailAttempt, type MayStillSend } from './email-attempt.ts';
import { keyHeader, messageIdOf } from './key.ts';
import type { Mailbox } from './mailbox.ts';
import { mimeText } from './mime-text.ts';
import { failed, type Outcome, refused, sent, unknown } from './outcome.ts';
import { outcomeOfFailure } from './smtp-failure.ts';

interface MailServerOptions {
  readonly smtpUrl: string;
  readonly mailFrom: Mailbox;
  readonly timeoutMs: number;
  readonly maxConnections: number;
}

/** Sends e-mails through a few persistent connections to one SMTP server. */
export function openMailServer({ smtpUrl, mailFrom, timeoutMs, maxConnections }: MailServerOptions) {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: demandsTls(smtpUrl),
    pool: true,
    maxConnections,
    // nodemailer notices that the server has closed a kept connection before any part of the message is sent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  const attempts = new WeakMap<AbortSignal, EmailAttempt>();
  transport.use('stream', ({ message, data: { signal } }, done) => {
    try {
      const attempt = signal && attempts.get(signal);
      if (!attempt) throw new Error('A message is not being sent.');
      const text = mimeText(message);
      message.createReadStream = () => attempt.bodyOf(text);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });

  async function send(email: Email, mayStillSend: MayStillSend): Promise<Outcome> {
    const { key, from = mailFrom, to, reply_to, subject, text, html, unsubscribe_url } = email;
    const messageId = messageIdOf(key, from.address);
    const error = emailError(email);
    if (error) return refused(error);
    const attempt = emailAttempt(timeoutMs, mayStillSend);
    const { signal, isBegun } = attempt;
    attempts.set(signal, attempt);
    try {
      const beyondAscii = [from, to].find(({ address }) => needsUtf8(address));
      if (beyondAscii && !(await acceptsUtf8(transport.options, signal)))
        return beyondAscii === to ? refused(onlyAscii) : failed(onlyAscii);
      await transport.sendMail({
        messageId,
        // Delivery reports of servers repeat this id (RFC 3461).
        dsn: { id: key, return: 'headers', notify: 'failure', recipient: to.address },
        from: headerOf(from),
        to: headerOf(to),
        ...(reply_to && { replyTo: headerOf(reply_to) }),
        subject,
        text,
        ...(html !== undefined && { html }),
        headers: { [keyHeader]: key, ...(unsubscribe_url ? unsubscribeHeaders(unsubscribe_url) : generated) },
        signal,
      });
      return sent(messageId);
    } catch (error) {
      if (!signal.aborted) return outcomeOfFailure(error, isBegun());
      return isBegun() ? unknown(noAnswer) : failed(tooSlow);
    } finally {
      attempt.end();
    }
  }
  return { send, close: () => transport.close({ force: true }) };
}

const onlyAscii = 'The mail server accepts only addresses with ASCII characters before the "@".';
const tooSlow = 'The mail server is too slow: it was not ready for the message in time.';
const noAnswer = 'The mail server did not respond in time.';

const headerOf = ({ name = '', address }: Mailbox) => ({ name, address });

/** Prevents automatic replies such as out-of-office notices (RFC 3834). */
const generated = { 'Auto-Submitted': 'auto-generated' };

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

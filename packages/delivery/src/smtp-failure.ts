import { failed, type Outcome, refused, unknown } from './outcome.ts';

type Failure = Error & {
  readonly response?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
  readonly command?: string;
};

/**
 * RFC 3463: a bad mailbox, a bad host, bad syntax, a mailbox that has moved, a null MX, a disabled mailbox. A full mailbox, a
 * policy or a fault of the server may pass, and end no address.
 */
const noSuchAddress = /(?<![\d.])5\.(?:1\.(?:[1236]|10)|2\.1)(?!\.?\d)/;

/** Whether nothing will ever arrive at the address about which a server has given this response. */
export const isNoSuchAddress = (response: string): boolean =>
  noSuchAddress.test(statusIn(response) ?? response);

/**
 * What is said about the recipient or the message, by the command that is answered: reply codes without an enhanced status code
 * (RFC 5321), and the latter (RFC 3463). At `DATA`, 5.7.1 is about spam; before it, about who is sending. The size of a
 * message may be refused at each (RFC 1870).
 */
const finalAnswers: Readonly<
  Record<string, { readonly replies: readonly number[]; readonly statuses: RegExp }>
> = {
  'MAIL FROM': { replies: [], statuses: /^5\.(?:2\.3|3\.4)$/ },
  'RCPT TO': { replies: [501, 550, 551, 552, 553], statuses: /^5\.(?:1\.(?!(?:[789]|90)$)|2\.|3\.4$)/ },
  DATA: { replies: [550, 552, 554], statuses: /^5\.(?:1\.(?!(?:[789]|90)$)|2\.|3\.4$|6\.|7\.[01]$)/ },
};

/**
 * Words about who sends, whatever the code and the status are: servers use those that are about a message or a mailbox. Whoever
 * may not send to a recipient is told of the recipient.
 */
const aboutSender = [
  // SendGrid: 550.
  /\bverified sender\b/i,
  // Microsoft 365 and Exchange: 5.2.0, 5.2.252 and 5.7.1.
  /\bsend ?as(?:denied| )/i,
  /SubmissionQuotaExceeded/,
  // Exchange: 5.7.1; Fastmail: 551 5.7.1.
  /\b(?:permissions?|(?:not |un)authori[sz]ed) to send (?!to\b)/i,
  // Microsoft 365: 5.1.90; Alibaba Cloud: 552.
  /\b(?:daily|monthly|sending) (?:\w+ ){0,2}(?:limit|quota)\b/i,
];

/** The same in a reply without a status, with a code that may be about the message. A full mailbox is answered with 552. */
const maybeAboutSender =
  /\b(?:not verified|relay(?:ing)?|suspended|paused|quota|(?:not |un)authori[sz]ed|(?:access|permission) denied)\b/i;

/** Whether a server refuses the message. If it refuses us, our credentials or our rate, others of our messages fare no better. */
function isFinal({ command = '', responseCode = 0, message }: Failure, status: string | undefined): boolean {
  const answers = finalAnswers[command];
  if (!answers || aboutSender.some((words) => words.test(message))) return false;
  if (status) return answers.statuses.test(status);
  return answers.replies.includes(responseCode) && (responseCode === 552 || !maybeAboutSender.test(message));
}

/** With these words Microsoft's servers say by another status that an address does not exist. */
const unknownToMicrosoft: Readonly<Record<string, RegExp>> = {
  '5.4.1': /\brecipient address rejected: access denied\b/i,
  '5.5.0': /\bmailbox unavailable\b/i,
};

/**
 * The enhanced status code of a response, which follows its reply code or that of a server behind; not one that says
 * nothing. Servers that only repeat a response put it in quotes.
 */
function statusIn(response = ''): string | undefined {
  const [, status] = /(?<![\d.])5\d\d[ -]["']?(?!5\.0\.0)(5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  return status && unknownToMicrosoft[status]?.test(response) ? '5.1.1' : status;
}

/**
 * The outcome of an SMTP attempt that ended in an error. A response of the server decides it (RFC 5321, 4.2.1); without
 * one it depends on whether any part of the message was sent.
 */
export function outcomeOfFailure(error: unknown, bodyBegun: boolean): Outcome {
  if (!(error instanceof Error)) throw error;
  const failure: Failure = error;
  const { response, responseCode, permanent, message } = failure;
  if (responseCode !== undefined && responseCode >= 400) {
    const status = statusIn(response);
    if (!permanent || !isFinal(failure, status)) return failed(message);
    const block = isNoSuchAddress(response ?? message) && { block: 'unreachable' as const };
    return { ...refused(message), ...block };
  }
  return bodyBegun ? unknown(message) : failed(message);
}

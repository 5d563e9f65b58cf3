import { failed, type Outcome, refused, unknown } from './outcome.ts';

type Failure = Error & {
  readonly response?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
  readonly command?: string;
};

/**
 * RFC 3463: bad mailbox, bad host, bad syntax, moved mailbox, null MX, disabled mailbox. A full mailbox, a policy or a fault of
 * the server may be temporary and blocks no address.
 */
const noSuchAddress = /(?<![\d.])5\.(?:1\.(?:[1236]|10)|2\.1)(?!\.?\d)/;

/** Whether a response of a server means that nothing will ever arrive at the address. */
export const isNoSuchAddress = (response: string): boolean =>
  noSuchAddress.test(statusIn(response) ?? response);

/**
 * Responses that are about the recipient or the message, by command: reply codes without an enhanced status code (RFC 5321), and
 * enhanced status codes (RFC 3463). At `DATA`, 5.7.1 means spam; before it, it is about the sender. Any command may be refused
 * because of the size of the message (RFC 1870).
 */
const finalAnswers: Readonly<
  Record<string, { readonly replies: readonly number[]; readonly statuses: RegExp }>
> = {
  'MAIL FROM': { replies: [], statuses: /^5\.(?:2\.3|3\.4)$/ },
  'RCPT TO': { replies: [501, 550, 551, 552, 553], statuses: /^5\.(?:1\.(?!(?:[789]|90)$)|2\.|3\.4$)/ },
  DATA: { replies: [550, 552, 554], statuses: /^5\.(?:1\.(?!(?:[789]|90)$)|2\.|3\.4$|6\.|7\.[01]$)/ },
};

/**
 * Words about the sender, whatever the codes are: servers also use codes that are about a message or a mailbox. If we may not
 * send to a recipient, the response is about the recipient.
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

/** The same for a reply without a status whose code may be about the message. A full mailbox is answered with 552. */
const maybeAboutSender =
  /\b(?:not verified|relay(?:ing)?|suspended|paused|quota|(?:not |un)authori[sz]ed|(?:access|permission) denied)\b/i;

/**
 * Whether a server refuses this message. If it refuses us, our credentials or our rate, it would refuse our other messages as
 * well.
 */
function isFinal({ command = '', responseCode = 0, message }: Failure, status: string | undefined): boolean {
  const answers = finalAnswers[command];
  if (!answers || aboutSender.some((words) => words.test(message))) return false;
  if (status) return answers.statuses.test(status);
  return answers.replies.includes(responseCode) && (responseCode === 552 || !maybeAboutSender.test(message));
}

/** Words with which Microsoft's servers report under another status that an address does not exist. */
const unknownToMicrosoft: Readonly<Record<string, RegExp>> = {
  '5.4.1': /\brecipient address rejected: access denied\b/i,
  '5.5.0': /\bmailbox unavailable\b/i,
};

/**
 * The enhanced status code of a response, after its reply code or that of a server behind it, unless the status says nothing.
 * Servers that only repeat a response quote it.
 */
function statusIn(response = ''): string | undefined {
  const [, status] = /(?<![\d.])5\d\d[ -]["']?(?!5\.0\.0)(5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  return status && unknownToMicrosoft[status]?.test(response) ? '5.1.1' : status;
}

/**
 * The outcome of an SMTP attempt that ended in an error. The server's response decides it (RFC 5321, 4.2.1); without one, it
 * depends on whether any part of the message was sent.
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

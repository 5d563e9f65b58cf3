import { createHmac } from 'node:crypto';
import type { StatusReport } from './inbound.ts';
import { fieldIn, reportedKey, unfolded } from './reported-key.ts';
import { shortLine } from './short-line.ts';
import { isSame } from './signature.ts';
import { isNoSuchAddress } from './smtp-failure.ts';

/** What a mail server reports about an e-mail of ours. */
export interface Bounce {
  /** The key of the row that was sent. */
  readonly key: string;
  readonly report: StatusReport;
}

/**
 * Reads a report about the delivery of an e-mail (RFC 3464), as the whole e-mail that contains it or as its parts. Undefined if
 * it is none, does not say which e-mail it is about, or only says that the e-mail is delayed. One about several recipients, to
 * whom the server has passed the e-mail on, says that one of them was not reached.
 */
export function readBounce(mail: string): Bounce | undefined {
  const text = unfolded(mail);
  const key = reportedKey(text);
  if (!key) return undefined;
  const reference = `dsn-${key}`;
  const recipients = recipientsIn(text);
  const about = (action: string) => recipients.find((recipient) => recipient.action === action);
  const failed = about('failed');
  if (!failed) {
    const state = about('delivered') ? 'Delivered' : about('relayed') && 'Sent';
    return state && { key, report: { reference, state } };
  }
  const { status, said } = failed;
  const reason = `The e-mail came back: ${said.includes(status) ? said : `${status} ${said}`}`;
  const block = recipients.every(isGone) && { block: 'unreachable' as const };
  return { key, report: { reference, state: 'Undelivered', reason: shortLine(reason, 500), ...block } };
}

interface Recipient {
  readonly action: string;
  readonly status: string;
  /** What the server said. */
  readonly said: string;
}

/**
 * What a report says of each recipient, in a paragraph with both fields. Above it and in its part for people, fields of the
 * same names mean other things.
 */
function recipientsIn(text: string): Recipient[] {
  return text.split(/(?:\r?\n){2,}/).flatMap((paragraph) => {
    const [action = ''] = (fieldIn(paragraph, 'Action') ?? '').toLowerCase().split(/[\s(]/);
    const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fieldIn(paragraph, 'Status') ?? '')?.[0];
    if (!status || !actions.includes(action)) return [];
    const said = fieldIn(paragraph, 'Diagnostic-Code')?.replace(/^[\w-]+;\s*/, '') ?? '';
    return [{ action, status, said }];
  });
}

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'];

/** Exim and Amazon SES write 5.0.0 for every failure, and only the response of the server says more. */
const isGone = ({ action, status, said }: Recipient): boolean =>
  action === 'failed' && status.startsWith('5') && isNoSuchAddress(`550 ${status} ${said}`);

/** The signature of a report, in hexadecimal: HMAC-SHA256 of the body. */
export const bounceSignature = (body: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Whether a report is signed with the secret, or comes with the secret itself. */
export function isBounceSigned(
  { body, authorization = '' }: { readonly body: string; readonly authorization?: string | undefined },
  secret: string,
): boolean {
  const [scheme = '', presented = ''] = authorization.split(' ');
  const isPresented = (expected: string) => isSame(presented, expected);
  if (scheme.toLowerCase() === 'bearer') return isPresented(secret);
  if (scheme.toLowerCase() !== 'signature') return false;
  return bytesOf(body).some((bytes) => isPresented(bounceSignature(bytes, secret)));
}

/** The bytes as which a report may have come: in UTF-8, or in Latin-1, as which the gateway reads every other charset. */
const bytesOf = (body: string): Buffer[] => {
  const latin1 = Buffer.from(body, 'latin1');
  return [Buffer.from(body), ...(latin1.toString('latin1') === body ? [latin1] : [])];
};

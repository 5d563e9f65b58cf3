import { createHmac } from 'node:crypto';
import type { StatusReport } from './inbound.ts';
import { fieldIn, reportedKey, unfolded } from './reported-key.ts';
import { shortLine } from './short-line.ts';
import { isSame } from './signature.ts';
import { isNoSuchAddress } from './smtp-failure.ts';

/** What a mail server reports about an e-mail that we sent. */
export interface Bounce {
  /** The key of the row that was sent. */
  readonly key: string;
  readonly report: StatusReport;
}

/**
 * Reads a delivery report (RFC 3464) from the whole e-mail that contains it. Undefined if this is no such report, if it does not
 * identify the e-mail, or if the e-mail is only delayed. A report about several recipients, to whom the server forwarded the
 * e-mail, says that one of them was not reached.
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
 * The two fields that a report has for each recipient, from one paragraph. Above the report and in its human-readable part,
 * fields with these names mean other things.
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

/** Exim and Amazon SES write 5.0.0 for every failure, so only the response of the server tells more. */
const isGone = ({ action, status, said }: Recipient): boolean =>
  action === 'failed' && status.startsWith('5') && isNoSuchAddress(`550 ${status} ${said}`);

/** The signature of a report, in hexadecimal: HMAC-SHA256 of the body. */
export const bounceSignature = (body: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Whether a report is signed with the secret or contains the secret itself. */
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

/** The bytes that may have been received: UTF-8, or Latin-1, which the gateway decodes all other charsets as. */
const bytesOf = (body: string): Buffer[] => {
  const latin1 = Buffer.from(body, 'latin1');
  return [Buffer.from(body), ...(latin1.toString('latin1') === body ? [latin1] : [])];
};

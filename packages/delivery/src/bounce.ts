import { createHmac } from 'node:crypto';
import type { StatusReport } from './inbound.ts';
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
 * it is none, does not say which e-mail it is about, or only says that the e-mail is delayed.
 */
export function readBounce(mail: string): Bounce | undefined {
  // Long fields are folded.
  const text = mail.replace(/\r?\n[ \t]+/g, ' ');
  const field = (name: string) => new RegExp(`^${name}:[ \t]*(\\S[^\r\n]*)`, 'im').exec(text)?.[1]?.trim();
  const action = field('Action')?.toLowerCase();
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(field('Status') ?? '')?.[0];
  const key = keyIn(field('Original-Envelope-Id')) ?? keyIn(messageIdsIn(text).at(-1));
  if (!key || !status) return undefined;
  const reference = `dsn-${key}`;
  if (action === 'delivered' || action === 'relayed')
    return { key, report: { reference, state: action === 'delivered' ? 'Delivered' : 'Sent' } };
  if (action !== 'failed') return undefined;
  const said = field('Diagnostic-Code')?.replace(/^[\w-]+;\s*/, '') ?? '';
  const reason = `The e-mail came back: ${said.includes(status) ? said : `${status} ${said}`}`.trim();
  // Exim and Amazon SES write 5.0.0 for every failure, and only the response of the server says more.
  const isGone = status.startsWith('5') && isNoSuchAddress(`550 ${status} ${said}`);
  const block = isGone && { block: 'unreachable' as const };
  return { key, report: { reference, state: 'Undelivered', reason: reason.slice(0, 500), ...block } };
}

/** The e-mail that is reported about comes after the report, so that its id is the last one. */
const messageIdsIn = (text: string): string[] =>
  [...text.matchAll(/^Message-ID:[ \t]*<([^>\r\n]{1,250})>/gim)].map(([, id]) => id ?? '');

const keyIn = (text: string | undefined): string | undefined =>
  /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[@>]|$)/i.exec(text ?? '')?.[1]?.toLowerCase();

/** The signature of a report, in hexadecimal: HMAC-SHA256 of the body in UTF-8. */
export const bounceSignature = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Whether a report is signed with the secret, or comes with the secret itself. */
export function isBounceSigned(
  { body, authorization = '' }: { readonly body: string; readonly authorization?: string | undefined },
  secret: string,
): boolean {
  const [scheme = '', presented = ''] = authorization.split(' ');
  const expected = scheme.toLowerCase() === 'signature' ? bounceSignature(body, secret) : secret;
  const isKnown = ['bearer', 'signature'].includes(scheme.toLowerCase());
  return isKnown && isSame(presented, expected);
}

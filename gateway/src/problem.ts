import { STATUS_CODES } from 'node:http';
import { invalid, Refused, refusal, statuses } from '@crm/contract';
import { unsupportedMediaType } from './json-body.ts';

const fault = refusal('GeneralError', 'Something went wrong.');
const bodyTooLarge = refusal('PayloadTooLarge', 'The body is larger than 1 MiB.');
export const uriTooLong = refusal('UriTooLong', 'The URL is too long.');

/** Errors that Fastify itself throws. Any other of its client errors is a request that could not be read. */
const ofFastify: Readonly<Record<string, () => Refused>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_EMPTY_TYPE: unsupportedMediaType,
  FST_ERR_MAX_PARAM_LENGTH: uriTooLong,
  FST_ERR_BAD_URL: () => invalid({ message: 'The path is malformed: a percent sign must start an escape.' }),
};

/**
 * The error that the client receives, and whether it is a fault that was not logged yet: an error of another process
 * was logged there, even a GeneralError.
 */
export function refusalOf(
  error: unknown,
  { isAborted }: { isAborted: boolean },
): { refused: Refused; isFault: boolean } {
  if (error instanceof Refused) return { refused: error, isFault: false };
  const code = codeOf(error);
  const known = ofFastify[code]?.();
  if (known) return { refused: known, isFault: false };
  if (isAborted || (code.startsWith('FST_') && statusOf(error) < 500)) {
    return { refused: invalid({ message: 'The request could not be read.' }), isFault: false };
  }
  return { refused: fault(), isFault: true };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'statusCode' in error
    ? Number(error.statusCode)
    : 500;
}

interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface RequestFacts {
  readonly requestId: string;
  readonly accept: string | undefined;
  /** Whether the request had a token, valid or not. */
  readonly hasToken: boolean;
}

/** The error response, with the members of RFC 9457 for clients that ask for them. */
export function problemAnswer(
  refused: Refused,
  { requestId, accept = '', hasToken }: RequestFacts,
): ProblemAnswer {
  const { name, message, errors, retryAfter, replayed } = refused;
  const status = statuses[name];
  const standard = /\bapplication\/problem\+json\b/i.test(accept);
  const ofTheStandard = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message };
  const facts = { name, message, code: status, className: name.replace(/\B[A-Z]/g, '-$&').toLowerCase() };
  const challenge = challengeOf(refused, hasToken);
  return {
    status,
    headers: {
      'content-type': `application/${standard ? 'problem+json' : 'json'}; charset=utf-8`,
      ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...(replayed && { 'idempotency-replayed': 'true' }),
    },
    text: JSON.stringify({ ...(standard && ofTheStandard), ...facts, errors, request_id: requestId }),
  };
}

/** RFC 6750 §3: no error code without a token; a missing scope is named. */
function challengeOf({ name, errors }: Refused, hasToken: boolean): string | undefined {
  if (name === 'NotAuthenticated') return `Bearer realm="crm"${hasToken ? ', error="invalid_token"' : ''}`;
  if (name === 'BadRequest' && 'access_token' in errors) return 'Bearer realm="crm", error="invalid_request"';
  if (name !== 'Forbidden' || !/^[\w:]+$/.test(errors.scope ?? '')) return undefined;
  return `Bearer realm="crm", error="insufficient_scope", scope="${errors.scope}"`;
}

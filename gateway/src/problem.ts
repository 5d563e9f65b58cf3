import { STATUS_CODES } from 'node:http';
import {
  bodyTooLarge,
  type ErrorForm,
  errorCode,
  fault,
  isTemporary,
  malformedRequest,
  malformedUrl,
  type RefusalName,
  Refused,
  statuses,
  unsupportedMediaType,
  urlTooLong,
} from '@crm/contract';
import { docsOf } from './error-docs.ts';
import { preferredType } from './preferred-type.ts';

/** Errors that Fastify itself throws. Any other client error of Fastify is a request that could not be read. */
const ofFastify: Readonly<Record<string, (bodyLimit: number) => Refused>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyLimit) =>
    bodyTooLarge({ message: `The body is larger than ${sizeOf(bodyLimit)}.` }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
  FST_ERR_CTP_EMPTY_TYPE: () => unsupportedMediaType(),
  FST_ERR_MAX_PARAM_LENGTH: () => urlTooLong(),
  FST_ERR_BAD_URL: () =>
    malformedUrl({ message: 'The path is malformed: a percent sign must start an escape.' }),
};

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1024} KiB` : `${bytes / 1_048_576} MiB`;

/**
 * The error that the client receives, and whether it is a fault that was not logged yet: an error of another process was logged
 * there, even a GeneralError.
 */
export function refusalOf(
  error: unknown,
  { isAborted, bodyLimit }: { isAborted: boolean; bodyLimit: number },
): { refused: Refused; isFault: boolean } {
  if (error instanceof Refused) return { refused: error, isFault: false };
  const code = errorCode(error);
  const known = ofFastify[code]?.(bodyLimit);
  if (known) return { refused: known, isFault: false };
  if (isAborted || (code.startsWith('FST_') && statusOf(error) < 500)) {
    return { refused: malformedRequest(), isFault: false };
  }
  return { refused: fault(), isFault: true };
}

function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'statusCode' in error
    ? Number(error.statusCode)
    : 500;
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface RequestFacts {
  readonly requestId: string;
  readonly accept: string | undefined;
  /** Whether the request had a token, valid or not. */
  readonly hasToken: boolean;
  /** The URL of the gateway for clients, if known. */
  readonly publicUrl: string | undefined;
  readonly form?: ErrorForm | undefined;
}

/** The error response, with the members of RFC 9457 for clients that ask for them. */
export function problemAnswer(
  refused: Refused,
  { requestId, accept = '', hasToken, publicUrl = '', form }: RequestFacts,
): ProblemAnswer {
  const { name, message, reason, errors, details, retryAfter, replayed } = refused;
  const status = statuses[name];
  const standard = prefersStandard(accept);
  const docs = publicUrl + docsOf(reason);
  const ofTheStandard = { type: docs, title: STATUS_CODES[status], status, detail: message };
  const facts = { name, message, code: status, className: classNameOf(name), reason, docs, errors };
  const hasDetails = Object.keys(details).length > 0;
  const challenge = challengeOf(refused, hasToken);
  return {
    status,
    headers: {
      'content-type': `application/${standard ? 'problem+json' : 'json'}; charset=utf-8`,
      ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...(replayed && { 'idempotency-replayed': 'true' }),
    },
    text: JSON.stringify({
      ...(form === 'oauth' && oauthMembers(refused, publicUrl)),
      ...(standard && ofTheStandard),
      ...facts,
      ...(hasDetails && { details }),
      request_id: requestId,
    }),
  };
}

/** RFC 6749 §5.2, with the codes of §4.1.2.1 for what is not the fault of the client. */
function oauthMembers(refused: Refused, publicUrl: string) {
  const ofServer = refused.name === 'GeneralError' ? 'server_error' : 'invalid_request';
  const error = isTemporary(refused) ? 'temporarily_unavailable' : ofServer;
  return { error, error_description: refused.message, error_uri: `${publicUrl}/guides/errors#${error}` };
}

/** Whether a client accepts the RFC 9457 format and does not prefer the usual one. */
const prefersStandard = (accept: string): boolean =>
  /\bapplication\/problem\+json\b/i.test(accept) &&
  preferredType(accept, ['application/problem+json', 'application/json']) === 'application/problem+json';

/** `NotFound` as `not-found`. */
export const classNameOf = (name: RefusalName): string => name.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase();

/** RFC 6750 §3: no error code without a token; a missing scope is named. */
function challengeOf({ name, errors }: Refused, hasToken: boolean): string | undefined {
  if (name === 'NotAuthenticated') return `Bearer realm="crm"${hasToken ? ', error="invalid_token"' : ''}`;
  if (name === 'BadRequest' && 'access_token' in errors) return 'Bearer realm="crm", error="invalid_request"';
  if (name !== 'Forbidden' || !/^[\w:]+$/.test(errors.scope ?? '')) return undefined;
  return `Bearer realm="crm", error="insufficient_scope", scope="${errors.scope}"`;
}

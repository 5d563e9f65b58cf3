import { type ErrorCode, type RefusalName, requestLimits, statuses } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { exampleOf, generalOf, problemExampleOf } from './error-examples.ts';

const headers: Record<string, oas31.HeaderObject> = {
  requestId: {
    description: 'The id of the request. Include it when you contact support.',
    schema: { type: 'string' },
  },
  replayed: {
    description:
      '`true` if this is the stored response to an earlier request with the same Idempotency-Key; nothing was done this time.',
    schema: { type: 'string' },
  },
  entityTag: {
    description: 'Identifies this state of the record. Send it back in `If-Match` or `If-None-Match`.',
    schema: { type: 'string', examples: ['"tJ1WQ8Zf9Jm0x2LQm1xO3g"'] },
  },
  location: {
    description: 'The path of the record that was added.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  preferenceApplied: {
    description: 'The preferences in `Prefer` that were applied.',
    schema: { type: 'string', examples: ['return=minimal'] },
  },
  dryRun: {
    description: '`true` if the request was a dry run, and nothing was stored.',
    schema: { type: 'string' },
  },
  retryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  rateLimit: {
    description:
      'How many requests are left for the client address, the access token and its account, and in how many seconds they are restored.',
    schema: {
      type: 'string',
      examples: ['"address";r=5999;t=60, "token";r=1199;t=60, "account";r=3599;t=60'],
    },
  },
  rateLimitPolicy: {
    description:
      'How many requests per minute are accepted from a client address, with an access token and for an account.',
    schema: {
      type: 'string',
      examples: ['"address";q=6000;w=60, "token";q=1200;w=60, "account";q=3600;w=60'],
    },
  },
  challenge: { description: 'What is wrong with the access token (RFC 6750).', schema: { type: 'string' } },
};

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Of every response. */
export const generalHeaders = {
  'X-Request-Id': header('requestId'),
  RateLimit: header('rateLimit'),
  'RateLimit-Policy': header('rateLimitPolicy'),
};

/** The general meaning of each error; an operation adds descriptions of its own errors. */
export const meanings: Readonly<Partial<Record<RefusalName, string>>> = {
  BadRequest: 'A value is missing or invalid; `errors` has a message for each of them.',
  NotAuthenticated: 'The access token is missing, unknown or expired.',
  Forbidden: 'The caller is not allowed to do this, or the access token lacks the required scope.',
  NotFound: 'The record does not exist, or the caller cannot see it.',
  Conflict: 'A request with the same Idempotency-Key is still running.',
  PreconditionFailed: 'The record no longer has the ETag in `If-Match`; read it again, without `$select`.',
  PayloadTooLarge: `The body is larger than ${requestLimits.bodyMiB} MiB.`,
  UriTooLong: 'The query or the headers are too long.',
  UnsupportedMediaType: 'The body is not sent as application/json, or is compressed.',
  Unprocessable: 'The Idempotency-Key was used with a different request.',
  TooManyRequests: 'Too many requests; wait the number of seconds in Retry-After.',
  GeneralError: 'An internal error occurred.',
  Unavailable: 'The service is temporarily unavailable; the same request can be sent again.',
};

/** The response with an error; the example is the first of an operation's own, if it has any. */
export function errorAnswer(
  name: RefusalName,
  description: string,
  own: ErrorCode | undefined = generalOf(name),
): oas31.ResponseObject {
  const isRetryable = name === 'TooManyRequests' || name === 'Unavailable' || name === 'Conflict';
  return {
    description,
    headers: {
      ...generalHeaders,
      ...(isRetryable && { 'Retry-After': header('retryAfter') }),
      ...(name === 'NotAuthenticated' && { 'WWW-Authenticate': header('challenge') }),
    },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(name, own) },
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: problemExampleOf(name, own),
      },
    },
  };
}

const errorsField: oas31.SchemaObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A message for each invalid field or parameter.',
};

const detailsField: oas31.SchemaObject = {
  type: 'object',
  description: 'What is wrong with each invalid field, for programs; omitted if no field is invalid.',
  additionalProperties: {
    type: 'object',
    required: ['reason'],
    properties: {
      reason: { type: 'string', description: 'What is wrong with the field.', examples: ['not_an_option'] },
      valid_options: {
        type: 'array',
        items: { type: 'string' },
        description: 'The valid values, if there are only a few.',
      },
      did_you_mean: {
        type: 'string',
        description: 'The valid option closest to what was sent.',
      },
    },
  },
};

function errorSchema(): oas31.SchemaObject {
  return {
    type: 'object',
    description: 'The body of every error.',
    required: ['name', 'message', 'code', 'className', 'reason', 'docs', 'errors', 'request_id'],
    properties: {
      name: { type: 'string', description: 'For programs.', enum: Object.keys(statuses) },
      message: { type: 'string', description: 'For people; the wording may change.' },
      code: { type: 'integer', description: 'The HTTP status.' },
      className: { type: 'string', description: 'The name in kebab case.', examples: ['bad-request'] },
      reason: {
        type: 'string',
        description: 'The exact error. Reasons never change; more may be added.',
        examples: ['record_not_found'],
      },
      docs: {
        type: 'string',
        format: 'uri-reference',
        description: 'Explains the error: when it happens, an example, and how to fix it.',
      },
      errors: errorsField,
      details: detailsField,
      request_id: { type: 'string', description: 'Include it when you contact support.' },
    },
  };
}

function problemSchema(): oas31.SchemaObject {
  const { properties, required = [] } = errorSchema();
  return {
    type: 'object',
    description:
      'The same error with the members of RFC 9457, for clients that accept application/problem+json.',
    required: ['type', 'title', 'status', 'detail', ...required],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'The same as `docs`: it identifies the error.',
      },
      title: { type: 'string', description: 'The meaning of the status.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'The same as `message`.' },
      ...properties,
    },
  };
}

const notModified: oas31.ResponseObject = {
  description: 'The record still has one of the ETags of `If-None-Match`. The response has no body.',
  headers: { ...generalHeaders, ETag: header('entityTag') },
};

const minimal: oas31.ResponseObject = {
  description: 'Success for a client that sent `Prefer: return=minimal`. The response has no body.',
  headers: {
    ...generalHeaders,
    ETag: header('entityTag'),
    'Preference-Applied': header('preferenceApplied'),
  },
};

export const errorComponents = {
  headers,
  schemas: { Error: errorSchema(), Problem: problemSchema() },
  responses: {
    NotModified: notModified,
    Minimal: minimal,
    ...Object.fromEntries(
      Object.entries(meanings).map(([name, meaning]) => [name, errorAnswer(name as RefusalName, meaning)]),
    ),
  },
};

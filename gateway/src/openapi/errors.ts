import { type RefusalName, statuses } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';

const headers: Record<string, oas31.HeaderObject> = {
  requestId: {
    description: 'The id of the request, to be named when asking for help.',
    schema: { type: 'string' },
  },
  replayed: {
    description:
      '`true` when an earlier request with the same Idempotency-Key was answered so, and nothing was done now.',
    schema: { type: 'string' },
  },
  retryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  challenge: { description: 'What is wrong with the access token (RFC 6750).', schema: { type: 'string' } },
};

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** What each way to say no means anywhere; an operation that can say more about its own reasons does. */
export const meanings: Readonly<Partial<Record<RefusalName, string>>> = {
  BadRequest: 'A value is missing or wrong; `errors` has a text for each.',
  NotAuthenticated: 'The access token is missing, unknown or expired.',
  Forbidden: 'The caller may not do this, or the access token lacks the scope.',
  NotFound: 'No such record, or none that the caller can see.',
  Conflict: 'A request with the same Idempotency-Key is still running.',
  PayloadTooLarge: 'The body is larger than 1 MiB.',
  UnsupportedMediaType: 'The body is not sent as application/json, or is compressed.',
  Unprocessable: 'The Idempotency-Key was used with another request.',
  TooManyRequests: 'Too many requests; wait as long as Retry-After says.',
  GeneralError: 'Something went wrong on our side.',
  Unavailable: 'The service cannot answer just now; the same request may be sent again.',
};

export function errorAnswer(name: string, description: string): oas31.ResponseObject {
  const waits = name === 'TooManyRequests' || name === 'Unavailable' || name === 'Conflict';
  return {
    description,
    headers: {
      'X-Request-Id': header('requestId'),
      ...(waits && { 'Retry-After': header('retryAfter') }),
      ...(name === 'NotAuthenticated' && { 'WWW-Authenticate': header('challenge') }),
    },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}

const errorsField: oas31.SchemaObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A text for each field or parameter that is wrong.',
};

function errorSchema(): oas31.SchemaObject {
  return {
    type: 'object',
    required: ['name', 'message', 'code', 'className', 'errors', 'request_id'],
    properties: {
      name: { type: 'string', enum: Object.keys(statuses) },
      message: { type: 'string', description: 'For people; its words may change.' },
      code: { type: 'integer', description: 'The HTTP status.' },
      className: { type: 'string', examples: ['bad-request'] },
      errors: errorsField,
      request_id: { type: 'string' },
    },
  };
}

function problemSchema(): oas31.SchemaObject {
  return {
    type: 'object',
    description: 'The same facts as RFC 9457 has them, for clients that accept application/problem+json.',
    required: ['type', 'title', 'status', 'detail', 'name', 'errors', 'request_id'],
    properties: {
      type: { type: 'string', const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      name: { type: 'string', enum: Object.keys(statuses) },
      errors: errorsField,
      request_id: { type: 'string' },
    },
  };
}

export const errorComponents = {
  headers,
  schemas: { Error: errorSchema(), Problem: problemSchema() },
  responses: Object.fromEntries(
    Object.entries(meanings).map(([name, meaning]) => [name, errorAnswer(name, meaning)]),
  ),
};

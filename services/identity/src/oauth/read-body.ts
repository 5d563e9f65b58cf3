import type { WebRequest } from '@crm/contract';
import { errorOfJsonAsForm } from '@crm/query';
import { invalidRequest, OAuthError } from './oauth-error.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** The parameters of a JSON or form body. Throws OAuthError. */
export function readBody({ query, headers, body }: WebRequest): Parameters['values'] {
  // URLs are logged, so a secret in the query would be logged too.
  if (query !== '') throw invalidRequest('Parameters must be in the body, not in the query');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return readJsonBody(body);
  if (type === 'application/x-www-form-urlencoded') return readForm(body);
  const must = 'The body must be application/json or application/x-www-form-urlencoded';
  throw new OAuthError('invalid_request', must, 415);
}

function readForm(body: string): Parameters['values'] {
  // Without this hint, the client would only be told that it has not authenticated.
  const description = errorOfJsonAsForm(body);
  if (description !== undefined) throw invalidRequest(description);
  const { values, faulty } = readParameters(body);
  if (faulty.size > 0) throw invalidRequest('A parameter is repeated or not well-formed');
  return values;
}

function readJsonBody(body: string): Parameters['values'] {
  const values = parsed(body);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw invalidRequest('The body must be a JSON object');
  }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  if (given.some(([, value]) => typeof value !== 'string')) {
    throw invalidRequest('Each parameter must be a string');
  }
  return Object.fromEntries(given);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidRequest('The body is not valid JSON');
  }
}

import type { WebRequest } from '@crm/contract';
import { invalidRequest, OAuthError } from './oauth-error.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** The parameters of a body in JSON or as a form. Throws OAuthError. */
export function readBody({ query, headers, body }: WebRequest): Parameters['values'] {
  // A URL is logged on its way, and a secret in it with it.
  if (query !== '') throw invalidRequest('Parameters belong in the body');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return readJsonBody(body);
  if (type === 'application/x-www-form-urlencoded') return readForm(body);
  const must = 'The body must be application/json or application/x-www-form-urlencoded';
  throw new OAuthError('invalid_request', must, 415);
}

function readForm(body: string): Parameters['values'] {
  const { values, faulty } = readParameters(body);
  if (faulty.size > 0) throw invalidRequest('A parameter is given more than once, or is not well encoded');
  return values;
}

function readJsonBody(body: string): Parameters['values'] {
  const values = parsed(body);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw invalidRequest('The body must be a JSON object');
  }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  if (given.some(([, value]) => typeof value !== 'string')) {
    throw invalidRequest('Each parameter must be a text');
  }
  return Object.fromEntries(given);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidRequest('The body is not JSON');
  }
}

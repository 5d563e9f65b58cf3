import type { WebAnswer } from '@crm/contract';

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type';

/**
 * An error response of RFC 6749 §5.2. It is caught where the response is built, so what was written before it was
 * thrown is committed: a revocation, a failed attempt.
 */
export class OAuthError extends Error {
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, description: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export const invalidRequest = (description: string): OAuthError =>
  new OAuthError('invalid_request', description);

/**
 * For a code or refresh token that is unknown, expired, used, or of another application: the client cannot tell which.
 */
export const invalidGrant = (): OAuthError => new OAuthError('invalid_grant', 'The grant is not valid');

/** JSON that no cache stores (RFC 6749 §5.1). */
export function jsonAnswer(status: number, body: object): WebAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
    body: JSON.stringify(body),
  };
}

export function errorAnswer({ code, message, status, headers }: OAuthError): WebAnswer {
  const answer = jsonAnswer(status, { error: code, error_description: message });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

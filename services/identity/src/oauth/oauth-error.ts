import type { WebAnswer } from '@crm/contract';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unauthorized_client'
  | 'access_denied';

/**
 * An error response of RFC 6749 §5.2. It is caught where the response is built, so everything written before it was
 * thrown is committed, such as a revocation or a failed attempt.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: OAuthErrorCode,
    description: string,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export const invalidRequest = (description: string): OAuthError =>
  new OAuthError('invalid_request', description);

/**
 * The same error for a code or refresh token that is unknown, expired, used, or of another application, so that the
 * client cannot tell them apart.
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

/** The members of an error, with the address of its entry in the guide that the gateway serves. */
export const errorMembers = (issuer: string, error: OAuthErrorCode, error_description: string) => ({
  error,
  error_description,
  error_uri: `${issuer}/guides/errors#${error}`,
});

export function errorAnswer({ code, message, status, headers }: OAuthError, issuer: string): WebAnswer {
  const answer = jsonAnswer(status, errorMembers(issuer, code, message));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

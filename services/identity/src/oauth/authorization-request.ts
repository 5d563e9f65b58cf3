import type { Context } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import { applicationByClientId } from '../applications/application-by-client-id.ts';
import { isRegistered } from '../applications/redirect-uri.ts';
import { readScope, type Scope } from '../tokens/scope.ts';
import { errorMembers, type OAuthErrorCode } from './oauth-error.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** A validated request of an application for the approval of a user. */
export interface AuthorizationRequest extends ResponseTarget {
  readonly application: Application;
  readonly scopes: readonly Scope[];
  readonly code_challenge: string | undefined;
}

/** Where and how the application receives the outcome. */
interface ResponseTarget {
  readonly issuer: string;
  readonly redirect_uri: string;
  readonly response_type: 'code' | 'token';
  readonly state: string | undefined;
}

type AuthorizationReading =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  /** Shown only to the user, because the redirect URI cannot be trusted. */
  | { readonly kind: 'page'; readonly status: 400; readonly message: string }
  | { readonly kind: 'redirect'; readonly location: string };

const known = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** Reads the query of /oauth2/authorize (RFC 6749 §4.1.1 and §4.2.1, RFC 7636 §4.3). */
export async function readAuthorizationRequest(
  ctx: Pick<Context, 'em'>,
  query: string,
  issuer: string,
): Promise<AuthorizationReading> {
  const { values, faulty } = readParameters(query);
  const page = (message: string) => ({ kind: 'page', status: 400, message }) as const;
  const { client_id, redirect_uri } = values;
  const application = await applicationByClientId(ctx, client_id);
  if (!application) return page('The application that sent you here is unknown.');
  if (redirect_uri === undefined || !isRegistered(redirect_uri, application.redirect_uris)) {
    return page('The application asked to send you to an address that is not registered for it.');
  }
  const response_type = values.response_type === 'token' ? 'token' : 'code';
  const target: ResponseTarget = { issuer, redirect_uri, response_type, state: values.state };
  const refused = validationErrors({ values, faulty }, application);
  const scopes = readScope(values.scope);
  if (refused) return { kind: 'redirect', location: errorLocation(target, ...refused) };
  if (!scopes) {
    const location = errorLocation(target, 'invalid_scope', 'The scopes are read and write');
    return { kind: 'redirect', location };
  }
  const { code_challenge } = values;
  return { kind: 'valid', request: { ...target, application, scopes, code_challenge } };
}

function validationErrors(
  { values, faulty }: Parameters,
  { is_public, allows_implicit }: Application,
): [OAuthErrorCode, string] | undefined {
  const bad = known.find((name) => faulty.has(name));
  if (bad) return ['invalid_request', `${bad} is repeated or not well-formed`];
  const { response_type, code_challenge, code_challenge_method } = values;
  if (response_type === undefined) return ['invalid_request', 'response_type is missing'];
  if (response_type === 'token') {
    if (allows_implicit) return undefined;
    return ['unauthorized_client', 'This application may not use the implicit grant'];
  }
  if (response_type !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if (code_challenge === undefined && code_challenge_method === undefined) {
    if (!is_public) return undefined;
    return ['invalid_request', 'code_challenge is required for this application'];
  }
  // The default is `plain` (RFC 7636 §4.3), which protects nothing if the request is observed.
  if (code_challenge_method !== 'S256') return ['invalid_request', 'code_challenge_method must be S256'];
  if (code_challenge !== undefined && /^[\w-]{43}$/.test(code_challenge)) return undefined;
  return ['invalid_request', 'code_challenge must be a SHA-256 in base64url'];
}

/** The redirect with an error (RFC 6749 §4.1.2.1). */
export function errorLocation(target: ResponseTarget, error: OAuthErrorCode, description: string): string {
  return responseLocation(target, errorMembers(target.issuer, error, description));
}

/**
 * The redirect with the response: in the query, or for the implicit grant in the fragment, which stays in the browser.
 */
export function responseLocation(
  { issuer, redirect_uri, response_type, state }: ResponseTarget,
  response: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  if (response_type === 'token') return `${redirect_uri}#${parameters}`;
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${parameters}`;
}

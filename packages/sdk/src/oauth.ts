/** What the authorization server has issued. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in ISO 8601. */
  readonly expiresAt: string;
  readonly scope: string;
}

export interface OAuthOptions {
  /** The URL of the API, such as https://crm.example.com. */
  readonly url: string;
  readonly clientId: string;
  /** For an application that can keep a secret, on a server. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
  readonly fetch?: typeof fetch;
}

/** Where to send the user, and what to keep until the user returns. */
export interface Authorization {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

export interface OAuth {
  readonly clientId: string;
  /** Starts an authorization, with PKCE (RFC 7636). */
  authorize(options?: { readonly scope?: string }): Promise<Authorization>;
  /** Exchanges the code in the URL to which the user returned. Throws `OAuthError`. */
  exchange(callback: string | URL, kept: Omit<Authorization, 'url'>): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes everything that was issued with the token. */
  revoke(token: string): Promise<void>;
}

/** The authorization server refused, with an RFC 6749 error such as `access_denied` or `invalid_grant`. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly error: string;

  constructor(error: string, description: string | null | undefined) {
    super(description ?? error);
    this.error = error;
  }
}

export function oauth({ url, clientId, clientSecret, redirectUri, ...rest }: OAuthOptions): OAuth {
  const base = url.replace(/\/+$/, '');
  const fetch: typeof globalThis.fetch = (...given) => (rest.fetch ?? globalThis.fetch)(...given);
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    postForm(fetch, `${base}/oauth2/${path}`, {
      ...fields,
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    });
  const issue = async (fields: Readonly<Record<string, string>>) => tokensIn(await post('token', fields));
  return {
    clientId,
    async authorize({ scope = 'read' } = {}) {
      const [state, codeVerifier] = [randomText(), randomText()];
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await challengeOf(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: `${base}/oauth2/authorize?${query}`, state, codeVerifier };
    },
    async exchange(callback, { state, codeVerifier }) {
      const code = codeIn(new URL(callback).searchParams, state);
      return issue({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      });
    },
    refresh: (refreshToken) => issue({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: async (token) => void (await post('revoke', { token })),
  };
}

function codeIn(parameters: URLSearchParams, state: string): string {
  // Otherwise a code that somebody else obtained could become the user's.
  if (parameters.get('state') !== state)
    throw new OAuthError('invalid_state', 'The state does not match the one that was sent.');
  const error = parameters.get('error');
  if (error !== null) throw new OAuthError(error, parameters.get('error_description'));
  return parameters.get('code') ?? '';
}

async function postForm(
  fetch: typeof globalThis.fetch,
  url: string,
  fields: Readonly<Record<string, string>>,
) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return body;
  throw new OAuthError(String(body.error ?? response.status), body.error_description as string | undefined);
}

function tokensIn(body: Readonly<Record<string, unknown>>): Tokens {
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    expiresAt: String(body.expires),
    scope: String(body.scope),
  };
}

/** 256 random bits, which suit both PKCE and `state`. */
const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function challengeOf(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return base64Url(new Uint8Array(digest));
}

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

import { createHash, randomBytes } from 'node:crypto';
import type { WebAnswer, WebRequest } from '@crm/contract';
import type { identityUnderTest } from './harness.ts';
import { ownOrigin, signedIn, tokenIn } from './visitor.ts';

type Identity = Awaited<ReturnType<typeof identityUnderTest>>;
type WebCall = (request: WebRequest) => Promise<WebAnswer>;
type Fields = Readonly<Record<string, string>>;

interface App {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  // A test may expect any JSON.
  readonly body: Readonly<Record<string, unknown>> & Partial<Pair>;
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const;
const redirect_uri = 'https://client.example.com/back?from=crm';

/** Users who are signed in on the real pages, and applications. */
function participantsIn(identity: Identity) {
  const { users, applications } = identity.asSystem;
  let count = 0;
  return {
    someUser: () => signedIn(identity),
    async someApp(draft: Partial<Parameters<typeof applications.create>[0]> = {}): Promise<App> {
      const owner = draft.owner ?? (await users.create({ email: `owner${++count}@example.com` })).id;
      const facts = { name: 'Mailer', redirect_uris: [redirect_uri], owner, ...draft };
      const { id, client_id, client_secret, redirect_uris } = await applications.create(facts);
      return { id, client_id, client_secret: client_secret ?? '', redirect_uri: redirect_uris[0] ?? '' };
    },
  };
}
type SomeUser = Awaited<ReturnType<ReturnType<typeof participantsIn>['someUser']>>;

const queryOf = ({ client_id, redirect_uri }: App, more: Fields = {}) =>
  new URLSearchParams({ response_type: 'code', client_id, redirect_uri, ...more }).toString();

/** The actions of users on the pages. */
function pagesIn({ asSystem: { consent, connectedApplications } }: Identity) {
  /** Requests authorization, and decides on the consent page if one is shown. Returns the final response to the browser. */
  async function ask(
    { browser }: SomeUser,
    query: string,
    decision: 'allow' | 'deny' = 'allow',
  ): Promise<WebAnswer> {
    const shown = await browser.get(consent.show, query);
    if (shown.status !== 200) return shown;
    const form_token = tokenIn(shown, `/oauth2/authorize?${query}`.replaceAll('&', '&amp;'));
    const body = new URLSearchParams({ form_token, decision }).toString();
    return browser.get(consent.decide, query, { headers: { ...ownOrigin, ...formType }, body });
  }
  return {
    ask,
    async codeFor(user: SomeUser, app: App, more: Fields = {}): Promise<string> {
      const { headers } = await ask(user, queryOf(app, more));
      const code = new URL(String(headers.location)).searchParams.get('code');
      if (!code) throw new Error(`There is no code in ${headers.location}.`);
      return code;
    },
    /** Withdraws consent on the page of connected applications. */
    async withdraw({ browser }: SomeUser, { id }: App): Promise<void> {
      const path = `/account/connected-applications/${id}/withdraw`;
      const form_token = tokenIn(await browser.get(connectedApplications.list), path);
      const sent = { params: { application_id: String(id) }, headers: ownOrigin };
      await browser.post(connectedApplications.withdraw, { form_token }, sent);
    },
  };
}

async function send(call: WebCall, fields: Fields, request: Partial<WebRequest> = {}): Promise<Answered> {
  const answer = await call({
    params: {},
    query: '',
    body: new URLSearchParams(fields).toString(),
    address: '203.0.113.7',
    ...request,
    headers: { ...formType, ...request.headers },
  });
  return { ...answer, body: answer.body === '' ? {} : JSON.parse(answer.body) };
}

const credentialsOf = ({ client_id, client_secret }: App): Fields => ({
  client_id,
  ...(client_secret !== '' && { client_secret }),
});

/** The requests of applications. */
function endpointsIn({ asSystem: { oauth, actors } }: Identity) {
  return {
    exchange: (app: App, code: string, more: Fields = {}, request: Partial<WebRequest> = {}) => {
      const grant = { grant_type: 'authorization_code', code, redirect_uri: app.redirect_uri };
      return send(oauth.token, { ...grant, ...credentialsOf(app), ...more }, request);
    },
    refresh: (app: App, refresh_token: string, more: Fields = {}, request: Partial<WebRequest> = {}) =>
      send(
        oauth.token,
        { grant_type: 'refresh_token', refresh_token, ...credentialsOf(app), ...more },
        request,
      ),
    revoke: (app: App, token: string) => send(oauth.revoke, { token, ...credentialsOf(app) }),
    introspect: (app: App, token: string) => send(oauth.introspect, { token, ...credentialsOf(app) }),
    /** Resolves to true if an access token is accepted. */
    isGood: (token: string) =>
      actors.resolve({ token }).then(
        () => true,
        () => false,
      ),
  };
}

/** Users who sign in and approve on the real pages, and applications that request tokens. */
export function oauthIn(identity: Identity) {
  const pages = pagesIn(identity);
  const endpoints = endpointsIn(identity);
  return {
    ...participantsIn(identity),
    ...pages,
    ...endpoints,
    queryOf,
    send,
    async tokensFor(user: SomeUser, app: App, more: Fields = {}): Promise<Pair> {
      const { body } = await endpoints.exchange(app, await pages.codeFor(user, app, more));
      return body as unknown as Pair;
    },
  };
}

/** A verifier and its challenge (RFC 7636). */
export function proofKey() {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return { code_verifier, asked: { code_challenge, code_challenge_method: 'S256' } };
}

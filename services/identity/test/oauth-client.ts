import { createHash, randomBytes } from 'node:crypto';
import type { WebAnswer, WebRequest } from '@crm/contract';
import type { identityUnderTest } from './harness.ts';
import { ownOrigin, tokenIn, visitorOf } from './visitor.ts';

type Identity = Awaited<ReturnType<typeof identityUnderTest>>;
type WebCall = (request: WebRequest) => Promise<WebAnswer>;
type Fields = Readonly<Record<string, string>>;

export interface App {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  // Whatever JSON a test expects.
  readonly body: Readonly<Record<string, unknown>> & Partial<Pair>;
}

const password = 'correct horse battery';
const redirect_uri = 'https://client.example.com/back?from=crm';

/** Users who sign in and approve on the real pages, and applications that ask for tokens. */
export function oauthIn(identity: Identity) {
  const { users, applications, oauth, consent, actors } = identity.asSystem;
  let count = 0;

  async function someUser() {
    count += 1;
    const { id, email } = await users.create({ email: `user${count}@example.com`, password });
    const browser = visitorOf(identity, `198.51.100.${count % 250}`);
    await browser.signIn(email, password);
    return { id, email, browser };
  }
  type SomeUser = Awaited<ReturnType<typeof someUser>>;

  async function someApp(draft: Partial<Parameters<typeof applications.create>[0]> = {}): Promise<App> {
    const owner = draft.owner ?? (await users.create({ email: `owner${++count}@example.com`, password })).id;
    const made = await applications.create({
      name: 'Mailer',
      redirect_uris: [redirect_uri],
      owner,
      ...draft,
    });
    const uri = made.redirect_uris[0] ?? '';
    return {
      id: made.id,
      client_id: made.client_id,
      client_secret: made.client_secret ?? '',
      redirect_uri: uri,
    };
  }

  const queryOf = (app: App, more: Fields = {}) => {
    const { client_id, redirect_uri } = app;
    const query = { response_type: 'code', client_id, redirect_uri, ...more };
    return new URLSearchParams(query).toString();
  };

  /** Asks, and decides on the page if there is one; answers what the browser gets in the end. */
  async function ask(
    { browser }: SomeUser,
    query: string,
    decision: 'allow' | 'deny' = 'allow',
  ): Promise<WebAnswer> {
    const shown = await browser.get(consent.show, query);
    if (shown.status !== 200) return shown;
    const form_token = tokenIn(shown, `/oauth2/authorize?${query}`.replaceAll('&', '&amp;'));
    const body = new URLSearchParams({ form_token, decision }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' } as const;
    return browser.get(consent.decide, query, { headers: { ...ownOrigin, ...type }, body });
  }

  async function codeFor(user: SomeUser, app: App, more: Fields = {}): Promise<string> {
    const { headers } = await ask(user, queryOf(app, more));
    const code = new URL(String(headers.location)).searchParams.get('code');
    if (!code) throw new Error(`There is no code in ${headers.location}.`);
    return code;
  }

  async function send(call: WebCall, fields: Fields, request: Partial<WebRequest> = {}): Promise<Answered> {
    const answer = await call({
      params: {},
      query: '',
      body: new URLSearchParams(fields).toString(),
      address: '203.0.113.7',
      ...request,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...request.headers },
    });
    return { ...answer, body: answer.body === '' ? {} : JSON.parse(answer.body) };
  }

  const idOf = ({ client_id, client_secret }: App): Fields => ({
    client_id,
    ...(client_secret !== '' && { client_secret }),
  });
  const exchange = (app: App, code: string, more: Fields = {}, request: Partial<WebRequest> = {}) =>
    send(
      oauth.token,
      { grant_type: 'authorization_code', code, redirect_uri: app.redirect_uri, ...idOf(app), ...more },
      request,
    );
  const refresh = (app: App, refresh_token: string, more: Fields = {}) =>
    send(oauth.token, { grant_type: 'refresh_token', refresh_token, ...idOf(app), ...more });
  const isGood = (token: string) =>
    actors.resolve({ token }).then(
      () => true,
      () => false,
    );

  return {
    someUser,
    someApp,
    queryOf,
    ask,
    codeFor,
    send,
    exchange,
    refresh,
    isGood,
    /** Withdraws on the page of connected applications. */
    async withdraw({ browser }: SomeUser, { id }: App): Promise<void> {
      const { list, withdraw } = identity.asSystem.connectedApplications;
      const form_token = tokenIn(await browser.get(list), `/account/connected-applications/${id}/withdraw`);
      await browser.post(
        withdraw,
        { form_token },
        { params: { application_id: String(id) }, headers: ownOrigin },
      );
    },
    revoke: (app: App, token: string) => send(oauth.revoke, { token, ...idOf(app) }),
    introspect: (app: App, token: string) => send(oauth.introspect, { token, ...idOf(app) }),
    async tokensFor(user: SomeUser, app: App, more: Fields = {}): Promise<Pair> {
      const { body } = await exchange(app, await codeFor(user, app, more));
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

import type { WebAnswer, WebRequest } from '@crm/contract';
import type { identityUnderTest } from './harness.ts';

type Identity = Awaited<ReturnType<typeof identityUnderTest>>;
type WebCall = (request: WebRequest) => Promise<WebAnswer>;

export const ownOrigin = { origin: 'null', 'sec-fetch-site': 'same-origin' } as const;

interface Sent {
  readonly headers?: WebRequest['headers'];
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string;
}

/** Sends requests with the cookies that earlier responses have set. */
function keepingCookies(cookies: Map<string, string>, address: string) {
  return async (call: WebCall, request: Partial<WebRequest>): Promise<WebAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await call({
      params: {},
      query: '',
      body: '',
      address,
      ...request,
      headers: { ...(cookie !== '' && { cookie }), ...request.headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
}

let networks = 0;
/** Another network for each visitor, so that failures in one test do not delay another. */
const nextAddress = () => `198.51.100.${++networks % 250}`;

/** A minimal browser: it keeps cookies and submits the forms it was shown. */
export function visitorOf({ asSystem: { signIn, signOut } }: Identity, address = nextAddress()) {
  const cookies = new Map<string, string>();
  const send = keepingCookies(cookies, address);
  const get = (call: WebCall, query = '', sent: Sent = {}) => send(call, { query, ...sent });
  const post = (call: WebCall, fields: Readonly<Record<string, string>>, sent: Sent = {}) =>
    send(call, {
      body: new URLSearchParams(fields).toString(),
      ...sent,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(sent.headers ?? ownOrigin) },
    });
  return {
    address,
    cookies,
    get,
    post,
    async signIn(
      email: string,
      password: string,
      more: Readonly<Record<string, string>> = {},
      sent: Sent = {},
    ) {
      const shown = await get(signIn.show);
      const form_token = tokenIn(shown, '/sign-in');
      return post(signIn.signIn, { form_token, email, password, ...more }, sent);
    },
    async signOut(page: WebAnswer) {
      return post(signOut.signOut, { form_token: tokenIn(page, '/sign-out') });
    },
  };
}

export const password = 'correct horse battery';

let users = 0;
/** A new user who is signed in. */
export async function signedIn(identity: Identity, facts: object = {}) {
  const draft = { email: `visitor${++users}@example.com`, password, ...facts };
  const { id, email } = await identity.asSystem.users.create(draft);
  const browser = visitorOf(identity);
  await browser.signIn(email, password);
  return { id, email, browser };
}

/** The token of the form on a page that posts to a path. */
export function tokenIn({ body }: WebAnswer, path: string): string {
  const form = body.split('<form').find((part) => part.includes(`action="${path}"`)) ?? '';
  return /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

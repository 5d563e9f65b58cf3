import { randomBytes, randomUUID } from 'node:crypto';
import type { Headers } from '../system/api.ts';
import type { System } from '../system.ts';

export const redirectUri = 'https://client.example.com/back';

type Fields = Readonly<Record<string, string | File>>;

/** A user who signs in and approves applications over HTTP, with the forms of the real pages. */
export async function approvingUser({ url, operator }: Pick<System, 'url' | 'operator'>) {
  const email = `${randomUUID()}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const { id } = await operator.users.create({ email, password });
  const visitor = visitorAt(url);
  const { send, submit, cookies } = visitor;
  await submit(await send('/sign-in'), '/sign-in', { email, password });

  return {
    id,
    email,
    password,
    submitFrom: visitor.submitFrom,
    /** The secrets of the user: the password and the cookies of the session. */
    secrets: () => [password, ...cookies.values()].filter((value) => value !== ''),
    /** Opens an authorization URL, approves the application if asked, and returns the redirect. */
    async allow(address: string | URL): Promise<URL> {
      const { pathname, search } = new URL(address);
      const shown = await send(address);
      const response =
        shown.status === 200 ? await submit(shown, pathname + search, { decision: 'allow' }) : shown;
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${address} responded with ${response.status}.`);
      return new URL(location, url);
    },
    async withdraw(applicationId: number): Promise<void> {
      const list = await send('/account/connected-applications');
      await submit(list, `/account/connected-applications/${applicationId}/withdraw`, {});
    },
  };
}

/** A form with a file is sent in parts. */
function bodyOf(fields: Fields): URLSearchParams | FormData {
  const hasFile = Object.values(fields).some((value) => typeof value !== 'string');
  const body = hasFile ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.set(name, value as string);
  return body;
}

/** What a browser does: it sends forms and keeps cookies. */
export function visitorAt(url: string) {
  const cookies = new Map<string, string>();

  async function send(address: string | URL, fields?: Fields, headers: Headers = {}): Promise<Response> {
    const response = await fetch(new URL(address, url), {
      redirect: 'manual',
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields && { origin: 'null', 'sec-fetch-site': 'same-origin' }),
      },
      ...(fields && { method: 'POST', body: bodyOf(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  /** Submits the first form of a page with the given action. */
  async function submit(page: Response, path: string, fields: Fields, headers: Headers = {}) {
    const text = await page.text();
    const action = `action="${path.replaceAll('&', '&amp;')}"`;
    const form = text.split('<form').find((part) => part.includes(action)) ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return send(path, { ...given, ...fields }, headers);
  }

  /** Opens the page, and submits its form with this action. Returns the response to the form. */
  const submitFrom = async (page: string, action: string, fields: Fields = {}, headers: Headers = {}) =>
    submit(await send(page), action, fields, headers);

  return { send, submit, submitFrom, cookies };
}

export type ApprovingUser = Awaited<ReturnType<typeof approvingUser>>;

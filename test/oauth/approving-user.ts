import { randomBytes, randomUUID } from 'node:crypto';
import type { System } from '../system.ts';

export const redirectUri = 'https://client.example.com/back';

/** Someone who signs in and allows applications to act, with the forms of the real pages, over HTTP. */
export async function approvingUser({ url, operator }: Pick<System, 'url' | 'operator'>) {
  const email = `${randomUUID()}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const { id } = await operator.users.create({ email, password });
  const cookies = new Map<string, string>();

  async function send(address: string | URL, fields?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(new URL(address, url), {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields && { origin: 'null', 'sec-fetch-site': 'same-origin' }),
      },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  /** Fills in the first form of a page that is sent to a path. */
  async function submit(page: Response, path: string, fields: Readonly<Record<string, string>>) {
    const text = await page.text();
    const action = `action="${path.replaceAll('&', '&amp;')}"`;
    const form = text.split('<form').find((part) => part.includes(action)) ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return send(path, { ...given, ...fields });
  }

  await submit(await send('/sign-in'), '/sign-in', { email, password });

  return {
    id,
    email,
    /** What nobody else may learn: the password, and what the browser holds to stay signed in. */
    secrets: () => [password, ...cookies.values()].filter((value) => value !== ''),
    /** Opens what an application leads to, allows it if asked, and answers where the browser is sent. */
    async allow(address: string | URL): Promise<URL> {
      const { pathname, search } = new URL(address);
      const shown = await send(address);
      const answer =
        shown.status === 200 ? await submit(shown, pathname + search, { decision: 'allow' }) : shown;
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${address} was answered with ${answer.status}.`);
      return new URL(location, url);
    },
    async withdraw(applicationId: number): Promise<void> {
      const list = await send('/account/connected-applications');
      await submit(list, `/account/connected-applications/${applicationId}/withdraw`, {});
    },
  };
}

export type ApprovingUser = Awaited<ReturnType<typeof approvingUser>>;

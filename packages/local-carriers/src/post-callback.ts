import { request } from 'undici';
import { signed } from './sign.ts';

/** What a callback was answered with. */
export interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a provider shows that it is the one, and where it really posts to. */
export interface Posting {
  readonly authToken: string;
  /** In whose place the public address stands, such as a gateway in the same network. */
  readonly through?: string | undefined;
}

/** Posts a form as the provider does, signed for the URL as it is known. Throws when nobody answers in 10 seconds. */
export async function postCallback(
  url: string,
  form: Record<string, string>,
  { authToken, through }: Posting,
): Promise<CallbackAnswer> {
  const { pathname, search, origin } = new URL(url);
  const { statusCode, body } = await request(`${through ?? origin}${pathname}${search}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signed(url, form, authToken),
    },
    body: new URLSearchParams(form).toString(),
    reset: true,
    signal: AbortSignal.timeout(10_000),
  });
  return { status: statusCode, body: await body.text() };
}

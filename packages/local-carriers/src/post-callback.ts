import { signed } from './sign.ts';

/** The response to a callback. */
export interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
}

/** How a callback is signed, and where it is really sent. */
export interface Posting {
  readonly authToken: string;
  /** The URL to use instead of the public one, such as the gateway in the same network. */
  readonly through?: string | undefined;
}

/** Posts a form as the provider does, signed for its public URL. Throws if there is no response within 10 seconds. */
export async function postCallback(
  url: string,
  form: Record<string, string>,
  { authToken, through }: Posting,
): Promise<CallbackAnswer> {
  const { request } = await import('undici');
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

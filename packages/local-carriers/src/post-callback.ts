import { request } from 'undici';
import { signed } from './sign.ts';

/** What a callback was answered with. */
export interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
}

/** Posts a form as the provider does, signed. Throws when nobody answers in 10 seconds. */
export async function postCallback(
  url: string,
  form: Record<string, string>,
  authToken: string,
): Promise<CallbackAnswer> {
  const { statusCode, body } = await request(url, {
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

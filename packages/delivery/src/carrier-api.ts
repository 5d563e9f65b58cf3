import type { Agent } from 'undici';
import { z } from 'zod';

// What all requests to Twilio's HTTP API have in common, and their responses.

/** An id of a text or a call, as the provider gives it. */
export const Sid = z.string().regex(/^\w{1,64}$/);

export interface Account {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
}

/** The provider's paths begin with a slash. */
export const originOf = ({ url }: Account): string => url.replace(/\/+$/, '');

export const pathOf = ({ accountSid }: Account, resource: string): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${resource}`;

export const authorizationOf = ({ accountSid, authToken }: Account): string =>
  `Basic ${btoa(`${accountSid}:${authToken}`)}`;

/** The text of one of the provider's lists. Throws if the provider does not respond with one. */
export async function listAt(account: Account, path: string, dispatcher: Agent, timeoutMs: number) {
  const { request } = await import('undici');
  const { statusCode, body } = await request(originOf(account) + path, {
    dispatcher,
    headers: { authorization: authorizationOf(account) },
    // The provider may close a kept connection just as a request is sent.
    reset: true,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The provider responded with ${statusCode}.`);
  return text;
}

/** The value of a JSON text; undefined if the text is not JSON, since a provider may respond with anything. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

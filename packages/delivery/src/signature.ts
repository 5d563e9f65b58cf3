import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of X-Twilio-Signature: HMAC-SHA1 in Base64 over the URL and the form, sorted by name and without separators.
 * A name that is repeated with the same value counts once.
 */
export function signatureOf(url: string, form: URLSearchParams, authToken: string): string {
  const signed = createHmac('sha1', authToken).update(url);
  for (const name of [...new Set(form.keys())].sort()) {
    for (const value of [...new Set(form.getAll(name))].sort()) signed.update(name + value);
  }
  return signed.digest('base64');
}

export const isSignature = (given: string, url: string, form: URLSearchParams, authToken: string): boolean =>
  formsOf(url).some((one) => isSame(given, signatureOf(one, form, authToken)));

/** A URL as it is and as providers may normalize it before signing: with a host in lower case, with its port and without. */
function formsOf(url: string): string[] {
  const origin = /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
  const parsed = URL.parse(origin);
  if (!parsed) return [url];
  const { protocol, hostname, port } = parsed;
  const usual = protocol === 'https:' ? '443' : '80';
  const rest = url.slice(origin.length);
  return [url, `${protocol}//${hostname}${rest}`, `${protocol}//${hostname}:${port || usual}${rest}`];
}

/** Compares digests in constant time, because the time must not reveal the length of a secret either. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The value of our cookies: 256 random bits. The database stores only their hash. */
export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');

export const isBrowserSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/.test(text);

/**
 * A token that proves that we rendered a form: derived from the secret of the browser it was rendered for, which no
 * other site can read, and valid for one purpose only.
 */
export function formToken(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`form ${purpose}`).digest('base64url');
}

export function isFormToken(given: string, secret: string, purpose: string): boolean {
  const wanted = Buffer.from(formToken(secret, purpose));
  const found = Buffer.from(given);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

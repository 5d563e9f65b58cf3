import type { WebRequest } from '@crm/contract';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isBrowserSecret } from './browser-secret.ts';

/** The prefix makes browsers refuse such a cookie from a sibling host or an insecure page. */
export const cookieNames = {
  session: '__Host-session',
  signIn: '__Host-sign-in',
  device: '__Host-device',
} as const;
type CookieName = (typeof cookieNames)[keyof typeof cookieNames];

/** `lax` lets a link from an application find its user signed in, but not a form of another site. */
const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** The secret in a cookie; undefined if its value cannot be one. */
export function secretIn({ headers }: Pick<WebRequest, 'headers'>, name: CookieName): string | undefined {
  const secret = parseCookie(headers.cookie ?? '')[name];
  return isBrowserSecret(secret) ? secret : undefined;
}

/** A session cookie: the browser deletes it on closing, and its session expires on the server. */
export const settingCookie = (name: CookieName, value: string): string =>
  stringifySetCookie({ name, value, ...attributes });

/** A cookie that outlives the session, by which the browser is recognized. */
export const keepingCookie = (name: CookieName, value: string, maxAge: number): string =>
  stringifySetCookie({ name, value, maxAge, ...attributes });

export const droppingCookie = (name: CookieName): string =>
  stringifySetCookie({ name, value: '', maxAge: 0, ...attributes });

import type { WebRequest } from '@crm/contract';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isBrowserSecret } from './browser-secret.ts';

/** The prefix makes browsers refuse such a cookie from a neighbouring host or an insecure page. */
export const cookieNames = { session: '__Host-session', signIn: '__Host-sign-in' } as const;
type CookieName = (typeof cookieNames)[keyof typeof cookieNames];

/** Lax, so that a link of an application finds its user signed in, and a form of another site does not. */
const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** The secret that the browser sent under a name; nothing for what cannot be one. */
export function secretIn({ headers }: WebRequest, name: CookieName): string | undefined {
  const secret = parseCookie(headers.cookie ?? '')[name];
  return isBrowserSecret(secret) ? secret : undefined;
}

/** A cookie without an end of its own: the browser drops it when it closes, the server when its time is over. */
export const settingCookie = (name: CookieName, value: string): string =>
  stringifySetCookie({ name, value, ...attributes });

export const droppingCookie = (name: CookieName): string =>
  stringifySetCookie({ name, value: '', maxAge: 0, ...attributes });

import { isRedirectUri, loopbackHosts } from './application.api.ts';

/**
 * The two loopback addresses on which any port is allowed (RFC 8252 §7.3), because a program cannot know in advance
 * which port is free.
 */
const loopbackLiteral = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/;

/** Returns true for a URI on the user's own machine, where any program can listen. */
export function isLoopback(uri: string): boolean {
  return loopbackHosts.includes(URL.parse(uri)?.hostname ?? '');
}

/** Returns true if a URI equals a registered one, ignoring the port of a loopback address. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return isRedirectUri(uri) && registered.some((known) => withoutPort(known) === withoutPort(uri));
}

const withoutPort = (uri: string): string => uri.replace(loopbackLiteral, 'http://$1');

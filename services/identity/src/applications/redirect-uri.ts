import { isRedirectUri, loopbackHosts } from './application.api.ts';

/**
 * The two loopback addresses that may have any port (RFC 8252 §7.3), because a program cannot know which one is free.
 */
const loopbackLiteral = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/;

/** Whether it leads to the user's own machine, where any program can listen. */
export function isLoopback(uri: string): boolean {
  return loopbackHosts.includes(URL.parse(uri)?.hostname ?? '');
}

/** Whether it is registered: the same text, except for the port of a loopback address. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return isRedirectUri(uri) && registered.some((known) => withoutPort(known) === withoutPort(uri));
}

const withoutPort = (uri: string): string => uri.replace(loopbackLiteral, 'http://$1');

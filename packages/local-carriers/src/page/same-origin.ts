import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a form was sent by a page of this very server: a browser says so in Sec-Fetch-Site or Origin, and
 * what says neither is no browser at this page.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  return site === 'same-origin';
}

/**
 * Whether the page was asked for by an address or as localhost. Under any other name a stranger's page could
 * point its own name at this machine (DNS rebinding) and read the messages.
 */
export function isAskedLocally(headers: IncomingHttpHeaders): boolean {
  const hostname = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(hostname) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');
}

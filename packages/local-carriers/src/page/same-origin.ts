import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a form was submitted from a page of this server, by Sec-Fetch-Site or Origin. A request with neither does not come from
 * this page.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  return site === 'same-origin';
}

/**
 * Whether the page was requested by IP address or as localhost. Otherwise a foreign page could point its own host name at this
 * machine (DNS rebinding) and read the messages.
 */
export function isLocalHost(headers: IncomingHttpHeaders): boolean {
  const hostname = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(hostname) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');
}

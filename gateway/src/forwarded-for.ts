import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const header = 'x-forwarded-for';

/**
 * Leaves addresses alone in X-Forwarded-For. Some proxies, such as those of Azure, add ports, which differ with each connection
 * of a client. What stands before an entry that is no address is left out as well: it may be the client's invention.
 */
export function leavePortsOut(headers: IncomingHttpHeaders): void {
  const sent = headers[header];
  if (sent === undefined) return;
  const entries = String(sent).split(',').map(withoutPort);
  const addresses = entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
  headers[header] = addresses.join(', ');
}

function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

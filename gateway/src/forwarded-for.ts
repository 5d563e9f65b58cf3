import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const header = 'x-forwarded-for';

/**
 * Removes ports from the addresses in X-Forwarded-For. Some proxies, such as those of Azure, add ports, which differ for each
 * connection of a client. Everything before an entry that is not an address is removed as well, because the client may have
 * invented it.
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

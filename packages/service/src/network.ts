import { isIPv6 } from 'node:net';

/** The network of one customer of a provider: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

import { isIPv6 } from 'node:net';

export const gatewayPort = 3000;

/** The offset of a service's port from that of the gateway. */
const offsets = {
  identity: 1,
  contacts: 2,
  'leads-routing': 3,
  'campaigns-templates': 4,
  scheduling: 5,
  'local mail': 6,
  'local carrier': 7,
} as const;

/** The local providers that replace a mail server and a carrier. */
export const localMailName = 'local mail';
export const localCarrierName = 'local carrier';

/** The number of consecutive ports of one system. */
export const portsOfSystem = 1 + Math.max(...Object.values(offsets));

export function portOf(service: string, gateway = gatewayPort): number {
  const offset = (offsets as Readonly<Record<string, number>>)[service];
  if (offset === undefined) throw new Error(`The service "${service}" has no port.`);
  return gateway + offset;
}

/** The URL at which a server that listens on a host and port can be reached from this machine. */
export function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** The prefix of a service's variables: `LEADS_ROUTING` in `LEADS_ROUTING_URL`. */
export function variablePrefix(service: string): string {
  return service.toUpperCase().replaceAll('-', '_');
}

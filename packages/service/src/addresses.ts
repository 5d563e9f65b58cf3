import { isIPv6 } from 'node:net';

export const gatewayPort = 3000;

/** How far the port of a service is from the gateway's. */
const places = {
  identity: 1,
  contacts: 2,
  'leads-routing': 3,
  'campaigns-templates': 4,
  scheduling: 5,
  'local mail': 6,
  'local carrier': 7,
} as const;

/** What stands in for a mail server and a carrier on one machine. */
export const localMailName = 'local mail';
export const localCarrierName = 'local carrier';

/** So many ports in a row belong to one system. */
export const portsOfSystem = 1 + Math.max(...Object.values(places));

export function portOf(service: string, gateway = gatewayPort): number {
  const place = (places as Readonly<Record<string, number>>)[service];
  if (place === undefined) throw new Error(`The service «${service}» has no place in the table of ports.`);
  return gateway + place;
}

/** Where a server that listens on a host and port is reached from this machine. */
export function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** The prefix of a service's own variables: `LEADS_ROUTING` in `LEADS_ROUTING_URL`. */
export function variablePrefix(service: string): string {
  return service.toUpperCase().replaceAll('-', '_');
}

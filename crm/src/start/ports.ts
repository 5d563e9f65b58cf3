import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@crm/contract';
import { localCarrierName, localMailName, portOf } from '@crm/service/process';
import { serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { needsLocalCarriers } from './carriers.ts';
import type { StartConfig } from './start-config.ts';

interface Wanted {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/**
 * Throws if one of the ports is in use, also by another part of the system, before anything is started. Waits for processes of a
 * killed system, which need a moment to notice and end.
 */
export async function needPorts(config: StartConfig, shape: Shape, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const opened = new Map<Wanted, Server>();
  try {
    for (const wanted of portsIn(config, shape)) {
      let found = await listen(wanted);
      const other = opened.keys().find(({ port }) => port === wanted.port);
      while (found === 'EADDRINUSE' && !other && performance.now() < deadline) {
        await sleep(100);
        found = await listen(wanted);
      }
      if (typeof found === 'string') throw portError(found, wanted, other);
      opened.set(wanted, found);
    }
  } finally {
    await Promise.all(opened.values().map(closed));
  }
}

interface Shape {
  readonly processes?: boolean;
}

function portsIn(config: StartConfig, { processes }: Shape): Wanted[] {
  const { host, servicesHost, port, telemetry } = config;
  const local = needsLocalCarriers(config) ? [localMailName, localCarrierName] : [];
  const others = [...serviceNames, ...local];
  const { metrics } = telemetry;
  const measured = processes ? serviceNames.map((name) => portOf(name, metrics?.port)) : [];
  return [
    { name: 'the gateway', port, host },
    ...others.map((name) => ({ name, port: portOf(name, port), host: servicesHost })),
    ...(metrics
      ? [metrics.port, ...measured].map((one) => ({ name: metricsName, port: one, host: metrics.host }))
      : []),
  ];
}

function portError(reason: string, { host, name, port }: Wanted, other: Wanted | undefined): Unable {
  if (reason === 'EADDRINUSE') {
    const user = other ? `also needed for ${other.name}` : 'used by another program';
    return new Unable(
      'PortTaken',
      `Port ${port}, needed for ${name}, is ${user}. Set ${variableOf(name)} to another one; the services use the ports after it.`,
    );
  }
  if (reason === 'EACCES') {
    return new Unable(
      'PortForbidden',
      `This user is not allowed to open port ${port}. Set ${variableOf(name)} to one above 1023.`,
    );
  }
  return new Unable('Host', `HOST is "${host}", but this machine cannot listen there (${reason}).`);
}

const metricsName = 'the metrics';

const variableOf = (name: string) => (name === metricsName ? 'METRICS_PORT' : 'PORT');

/** A server on a port, or why there is none. */
async function listen({ host, port }: Wanted): Promise<Server | string> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    return errorCode(error) || String(error);
  }
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

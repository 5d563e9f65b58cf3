import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@crm/contract';
import { localCarrierName, localMailName, portOf } from '@crm/service/process';
import { serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { needsLocalCarriers } from './carriers.ts';
import type { StartConfig } from './start-config.ts';

/**
 * Throws if another program uses one of the ports, before anything is started. Waits for processes of a killed system, which need
 * a moment to notice and end.
 */
export async function needPorts(config: StartConfig, patienceMs: number): Promise<void> {
  const { host, servicesHost, port, telemetry } = config;
  const { metrics } = telemetry;
  const local = needsLocalCarriers(config) ? [localMailName, localCarrierName] : [];
  const names = [...serviceNames, ...local];
  const wanted = [
    ['the gateway', port, host],
    ...names.map((name) => [name, portOf(name, port), servicesHost] as const),
    ...(metrics ? [['the metrics', metrics.port, metrics.host] as const] : []),
  ] as const;
  const deadline = performance.now() + patienceMs;
  for (const [name, port, host] of wanted) {
    let reason = await listenError(host, port);
    while (reason === 'EADDRINUSE' && performance.now() < deadline) {
      await sleep(100);
      reason = await listenError(host, port);
    }
    if (reason !== undefined) throw portError(reason, host, name, port);
  }
}

function portError(reason: string, host: string, name: string, port: number): Unable {
  if (reason === 'EADDRINUSE') {
    return new Unable(
      'PortTaken',
      `Port ${port}, needed for ${name}, is used by another program. Set ${variableOf(name)} to another one; the services use the ports after it.`,
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

const variableOf = (name: string) => (name === 'the metrics' ? 'METRICS_PORT' : 'PORT');

async function listenError(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    return errorCode(error) || String(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

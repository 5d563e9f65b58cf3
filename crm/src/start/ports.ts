import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { localCarrierName, localMailName, portOf } from '@crm/service/process';
import { serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { needsLocalCarriers } from './carriers.ts';
import type { StartConfig } from './start-config.ts';

/**
 * Refuses to start where another program has one of our ports, before anything is started. Processes of a
 * system that was killed a moment ago are given a while to notice it and end.
 */
export async function needPorts(config: StartConfig, patienceMs: number): Promise<void> {
  const { host, port } = config;
  const local = needsLocalCarriers(config) ? [localMailName, localCarrierName] : [];
  const names = [...serviceNames, ...local];
  const wanted = [['the gateway', port], ...names.map((name) => [name, portOf(name, port)])] as const;
  const deadline = performance.now() + patienceMs;
  for (const [name, port] of wanted) {
    let reason = await whyRefused(host, Number(port));
    while (reason === 'EADDRINUSE' && performance.now() < deadline) {
      await sleep(100);
      reason = await whyRefused(host, Number(port));
    }
    if (reason !== undefined) throw refusal(reason, host, String(name), Number(port));
  }
}

function refusal(reason: string, host: string, name: string, port: number): Unable {
  if (reason === 'EADDRINUSE') {
    return new Unable(
      'PortTaken',
      `Port ${port}, wanted for ${name}, is taken by another program. Set PORT to another one; the services use the ports after it.`,
    );
  }
  if (reason === 'EACCES') {
    return new Unable('PortForbidden', `This user may not open port ${port}. Set PORT to one above 1023.`);
  }
  return new Unable('Host', `HOST is «${host}», and this machine cannot listen there (${reason}).`);
}

async function whyRefused(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

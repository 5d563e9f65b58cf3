import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@crm/embedded';
import { portsOfSystem } from '@crm/service/process';
import { startChild } from './child.ts';
import type { Shape } from './shape.ts';

export interface OurSystem {
  readonly url: string;
  readonly identityUrl: string;
  readonly operatorToken: string;
  readonly pid: number;
  readonly postmasterPid: number;
  /** With the rights of an administrator. */
  readonly databaseUrl: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

interface SystemFile {
  readonly gateway: string;
  readonly services: { readonly identity: string };
  readonly versions: Readonly<Record<string, string>>;
}

/** Starts the system of this checkout as `npm start` does, without demo data and limits of requests. */
export async function startSystem(
  project: string,
  folder: string,
  shape: Shape,
  env: NodeJS.ProcessEnv,
): Promise<OurSystem> {
  const port = await freePorts();
  const args = ['crm/src/main.js', 'start', '--no-demo', '--json'];
  const child = await startChild({
    name: 'The system',
    args: shape === 'processes' ? [...args, '--processes'] : args,
    env: { ...env, PORT: String(port), CRM_DATA_DIR: folder, RATE_LIMITS: 'off' },
    cwd: project,
  });
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8').trim();
  const { gateway, services, versions } = JSON.parse(textOf('system.json')) as SystemFile;
  const [postmasterPid, , , postgresPort] = textOf('postgres/data/postmaster.pid').split('\n');
  const password = encodeURIComponent(textOf('postgres/password'));
  return {
    url: gateway,
    identityUrl: services.identity,
    operatorToken: textOf('operator-token'),
    pid: child.pid,
    postmasterPid: Number(postmasterPid),
    databaseUrl: `postgres://crm:${password}@127.0.0.1:${postgresPort}/crm`,
    versions,
    stop: child.stop,
  };
}

/** The system uses consecutive ports. */
async function freePorts(): Promise<number> {
  for (let first = 5_200; first < 9_000; first += 20) {
    const ports = Array.from({ length: portsOfSystem }, (_, offset) => first + offset);
    const free = await Promise.all(ports.map((port) => freePort(port)));
    if (free.every((port, offset) => port === ports[offset])) return first;
  }
  throw new Error(`No ${portsOfSystem} consecutive ports between 5200 and 9000 are free.`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from '@crm/embedded';
import { describe, expect, it } from 'vitest';
import { crm } from '../../test/run-crm.ts';
import { newTestSystem, responds } from '../../test/test-system.ts';
import { until } from '../../test/until.ts';
import { serviceNames } from '../system/services.ts';

const isAlive = (pid: number) => startTimeOf(pid) !== undefined;

/** Resident memory in MB. */
function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

describe('the one process', () => {
  it('starts after a crash left broken files, without a demo, in less than 300 MB, and restarts its servers', async () => {
    const setup = await newTestSystem();
    try {
      writeFileSync(join(setup.folder, 'system.json'), '{ "pid": ');
      writeFileSync(join(setup.folder, 'operator-token'), '');
      const system = await setup.start('--no-demo');
      expect(system.people).toEqual([]);
      const users = await crm(['users', 'list', '--json'], setup.env);
      expect(JSON.parse(users.stdout)).toEqual({ total: 0, data: [] });
      expect(memoryOf(system.pid)).toBeLessThan(300);
      await comesBackWithoutItsServers(system.pid, async () => {
        expect(await crm(['users', 'list', '--json'], setup.env)).toMatchObject({ code: 0 });
        expect(await crm(['doctor'], setup.env)).toMatchObject({ code: 0 });
      });
      expect(await system.end('SIGTERM')).toBe(0);
      expect(await crm(['migrate'], setup.env)).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await setup.close();
    }
  });
});

describe('the processes', () => {
  it('are restarted one by one, and end with the process that started them', async () => {
    const setup = await newTestSystem();
    const services: number[] = [];
    try {
      const system = await setup.start('--processes', '--no-demo');
      const urls = [system.gateway, ...Object.values(system.services)];
      const script = 'services/contacts/src/main.ts';
      const [pid] = childrenOf(system.pid, script);
      expect(pid).toBeDefined();
      process.kill(Number(pid), 'SIGKILL');
      await until(async () => expect(await responds(system.services.contacts)).toBe(true));
      expect(childrenOf(system.pid, script)).not.toContain(pid);
      services.push(...childrenOf(system.pid, 'src/main.ts'));
      // The services and the gateway.
      expect(services).toHaveLength(serviceNames.length + 1);
      await system.end('SIGKILL');
      await until(async () => expect(await Promise.all(urls.map(responds))).not.toContain(true));
      await until(async () => expect(services.filter(isAlive)).toEqual([]));
    } finally {
      for (const pid of services.filter(isAlive)) process.kill(pid, 'SIGKILL');
      await setup.close();
    }
  });
});

/** Kills the PostgreSQL and the NATS of a system, and waits until it works again. */
async function comesBackWithoutItsServers(pid: number, works: () => Promise<void>): Promise<void> {
  const servers = () => ['bin/postgres', 'nats-server'].flatMap((program) => childrenOf(pid, program));
  const killed = servers();
  expect(killed).toHaveLength(2);
  for (const server of killed) process.kill(server, 'SIGKILL');
  await until(works);
  expect(servers().filter((server) => killed.includes(server))).toEqual([]);
}

/** The child processes that run a script, according to Linux. */
function childrenOf(parent: number, script: string): number[] {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g) ?? [];
  return pids.map(Number).filter((pid) => commandOf(pid).includes(script));
}

/** Empty for a process that has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type EmbeddedServer, freePort, removeAbandoned, startNats, startPostgres } from './index.ts';
import { isRunning, isRunningByPs, startTimeOf } from './running-process.ts';

const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const running: EmbeddedServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-embedded-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function postgres(dataDir: string, options: { port?: number } = {}): Promise<EmbeddedServer> {
  const server = await startPostgres({ dataDir, settings, ...options });
  running.push(server);
  return server;
}

async function nats(dataDir: string, options: { port?: number } = {}): Promise<EmbeddedServer> {
  const server = await startNats({ dataDir, ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** A process that starts both servers and prints their pids. Like a draining one, it survives Ctrl-C. */
async function owner(dataDir: string): Promise<{ process: ChildProcess; pids: number[] }> {
  const script = `
    import { startNats, startPostgres } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    process.on('SIGINT', () => process.stdout.write('interrupted'));
    const dataDir = ${JSON.stringify(dataDir)};
    const settings = ${JSON.stringify(settings)};
    const servers = await Promise.all([startPostgres({ dataDir, settings }), startNats({ dataDir })]);
    process.stdout.write(JSON.stringify(servers.map(({ pid }) => pid)));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The owner ended.')));
  const [output] = await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { process: child, pids: JSON.parse(String(output)) };
}

/** The URL of the PostgreSQL that another process runs in the folder. */
function urlIn(dataDir: string): string {
  const port = Number(readFileSync(join(dataDir, 'postgres/port'), 'utf8'));
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim();
  return `postgres://crm:${password}@127.0.0.1:${port}/crm`;
}

/** Whether a NATS server responds. */
async function pong(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.write('CONNECT {}\r\nPING\r\n');
  let received = '';
  for await (const bytes of socket) {
    received += bytes;
    if (received.includes('PONG')) return true;
  }
  return false;
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('embedded servers', () => {
  it('are reachable only on 127.0.0.1, and only with the password', async () => {
    const dataDir = newDataDir();
    const [database, broker] = await Promise.all([postgres(dataDir), nats(dataDir)]);

    expect(await query(database.url, 'select version()')).toContain(`PostgreSQL ${database.version}`);
    expect(new URL(database.url).pathname).toBe('/crm');
    expect(await query(database.url, 'show timezone')).toBe('UTC');
    expect(await query(database.url, 'show listen_addresses')).toBe('127.0.0.1');
    const wrong = Object.assign(new URL(database.url), { password: 'guessed' });
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);

    expect(broker.url).toBe(`nats://127.0.0.1:${broker.port}`);
    expect(readFileSync(join(dataDir, 'nats/nats.conf'), 'utf8')).toContain('sync_interval: "1s"');
    expect([await isReachableOutside(database.port), await isReachableOutside(broker.port)]).toEqual([
      false,
      false,
    ]);
  });

  it('keep data, password and port across restarts', async () => {
    const dataDir = newDataDir();
    const first = await postgres(dataDir);
    await query(first.url, 'create table kept as select 7 as n');
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');

    const second = await postgres(dataDir);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select n from kept')).toBe(7);
  });

  it('are restarted on the same ports when they exit by themselves, and lose nothing', async () => {
    const dataDir = newDataDir();
    const steps: string[] = [];
    const kept = { dataDir, keepRunning: true, onRestart: (step: string) => void steps.push(step) };
    const servers = await Promise.all([
      startPostgres({ ...kept, settings: { fsync: 'off' } }),
      startNats(kept),
    ]);
    running.push(...servers);
    const [database, broker] = servers;
    await query(database.url, 'create table kept as select 7 as n');
    for (let times = 1; times <= 3; times++) {
      const pids = servers.map(({ pid }) => pid);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await expect
        .poll(() => steps.filter((step) => step.endsWith('is back.')), { timeout: 60_000 })
        .toHaveLength(2 * times);
      expect(servers.map(({ pid }) => pid)).not.toEqual(pids);
      expect(await query(database.url, 'select n from kept')).toBe(7);
      expect(await pong(broker.port)).toBe(true);
    }
    const last = servers.map(({ pid }) => pid);
    await Promise.all(servers.map((server) => server.stop()));
    expect(last.map((pid) => startTimeOf(pid))).toEqual([undefined, undefined]);
    expect(steps.filter((step) => step.includes('being restarted'))).toHaveLength(6);
  });

  it('are replaced after their owner was killed, and lose nothing', async () => {
    const dataDir = newDataDir();
    const killed = await owner(dataDir);
    await query(urlIn(dataDir), 'create table kept as select 7 as n');
    await kill(killed.process);
    expect(killed.pids.map((pid) => startTimeOf(pid) !== undefined)).toEqual([true, true]);

    const [database] = await Promise.all([postgres(dataDir), nats(dataDir)]);
    expect(killed.pids.map((pid) => startTimeOf(pid) !== undefined)).toEqual([false, false]);
    expect(await query(database.url, 'select n from kept')).toBe(7);
  });

  it('survive a Ctrl-C in the terminal of their owner', async () => {
    const dataDir = newDataDir();
    const interrupted = await owner(dataDir);
    if (interrupted.process.pid === undefined) throw new Error('The owner has no pid.');
    const response = once(interrupted.process.stdout ?? interrupted.process, 'data');
    process.kill(-interrupted.process.pid, 'SIGINT');
    await response;
    // Servers that had been interrupted as well would no longer accept connections.
    await expect(query(urlIn(dataDir), 'select 1')).resolves.toBe(1);
    await expect(pong(Number(readFileSync(join(dataDir, 'nats/port'), 'utf8')))).resolves.toBe(true);
    expect(interrupted.pids.map((pid) => startTimeOf(pid) !== undefined)).toEqual([true, true]);
    await kill(interrupted.process);
    await Promise.all([postgres(dataDir), nats(dataDir)]);
  });

  it('refuse a second owner and name the first', async () => {
    const dataDir = newDataDir();
    const { process: first } = await owner(dataDir);
    const message = `already run by process ${first.pid}. Stop that process, or set CRM_DATA_DIR`;
    await expect(postgres(dataDir)).rejects.toThrow(message);
    await expect(nats(dataDir)).rejects.toThrow(message);
    expect(await removeAbandoned(dataDir)).toBe(false);
    await kill(first);
    expect(await removeAbandoned(dataDir)).toBe(true);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('accept a new owner if the pid of the previous one now belongs to another process', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'nats'));
    writeFileSync(join(dataDir, 'nats/owner'), `${process.pid} 1\n`);
    await nats(dataDir);
  });

  it('never end a process that merely has the pid of a server', async () => {
    const dataDir = newDataDir();
    await (await postgres(dataDir)).stop();
    const path = join(realpathSync(dataDir), 'postgres/data');
    const stranger = spawn('sleep', ['60']);
    const namesake = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', path]);
    for (const child of [stranger, namesake]) {
      writeFileSync(join(dataDir, 'postgres/server.pid'), `${child.pid}\n`);
      await (await postgres(dataDir)).stop();
      expect(child.exitCode ?? child.signalCode).toBeNull();
      await kill(child);
    }
  });

  it('create an incomplete data folder again, and set the old one aside instead of deleting it', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'postgres/data'), { recursive: true });
    mkdirSync(join(dataDir, 'postgres/initdb-cut-short/data'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '18\n');
    const database = await postgres(dataDir);
    expect(await query(database.url, 'select 1')).toBe(1);
    const names = readdirSync(join(dataDir, 'postgres'));
    expect(names.filter((name) => name.startsWith('initdb-'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('data.incomplete-'))).toHaveLength(1);
  });

  it('fail on a required port that is in use, and avoid one that was only remembered', async () => {
    const dataDir = newDataDir();
    const occupied = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void occupied.close());
    await once(occupied, 'listening');
    const address = occupied.address();
    const port = typeof address === 'object' && address ? address.port : 0;

    await expect(nats(dataDir, { port })).rejects.toThrow(`Port ${port} of NATS is in use`);
    writeFileSync(join(dataDir, 'nats/port'), `${port}\n`);
    expect((await nats(dataDir)).port).not.toBe(port);
    expect(await freePort(port)).not.toBe(port);
  });

  it('start with code and data in a folder that only root may enter', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    const dataDir = join(newDataDir(), 'below');
    const database = await postgres(dataDir);
    expect(await query(database.url, 'select 1')).toBe(1);
    const home = dirname(realpathSync(join(dataDir, 'postgres/data')));
    expect(home.startsWith('/var/lib/crm-embedded/')).toBe(true);
    await database.stop();
    expect((await postgres(dataDir)).url).toBe(database.url);
    onTestFinished(() => rmSync(home, { recursive: true }));
  });

  it('are distinguished from other processes without /proc', () => {
    const work = { program: 'node', path: '/the/path' };
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', work.path]);
    onTestFinished(() => void child.kill());
    const pid = child.pid ?? 0;
    expect([isRunning(pid, work), isRunningByPs(pid, work)]).toEqual([true, true]);
    expect(isRunningByPs(pid, { ...work, path: '/the' })).toBe(false);
    expect(isRunningByPs(2 ** 22 + 1, work)).toBe(false);
  });
});

/** Whether the port accepts connections on an address that other machines can reach. */
async function isReachableOutside(port: number): Promise<boolean> {
  const outside = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address } of outside.filter(({ internal, family }) => !internal && family === 'IPv4')) {
    const socket = connect(port, address);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return true;
  }
  return false;
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const main = fileURLToPath(new URL('../../../../../crm/src/main.js', import.meta.url));

/** A system in a data folder, which can be killed and started again. */
export function systemIn(folder: string, port: number) {
  const env = { ...process.env, CRM_DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off' };
  let child: ChildProcess | undefined;

  /** The output of a crm command as JSON. */
  const crm = (...words: readonly string[]): Readonly<Record<string, unknown>> =>
    JSON.parse(execFileSync(process.execPath, [main, ...words, '--json'], { env, encoding: 'utf8' }));

  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };

  return {
    gateway: `http://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [main, 'start', '--json', '--no-demo'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? [])
        if (String(chunk).includes('\n')) break;
      child.stdout?.resume();
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    /** The authorization of a new user. */
    newUser(email: string): string {
      crm('users', 'create', '--email', email, '--password', 'long enough');
      return `Bearer ${crm('tokens', 'create', '--user', email).access_token}`;
    },
    usage: () => usageOf(child?.pid ?? 0),
    /** Rows of the database of contacts. */
    async rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
      const { databaseUrls } = JSON.parse(readFileSync(join(folder, 'system.json'), 'utf8'));
      const client = new pg.Client({
        connectionString: databaseUrls.contacts,
        options: '-c search_path=contacts',
      });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

interface Usage {
  /** Processor time so far, in seconds, by program. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Resident memory of the process itself. */
  readonly mebibytes: number;
}

/** What a process and those that it has started have used, on Linux. */
function usageOf(root: number): Usage {
  const seconds: Record<string, number> = {};
  const found = new Set([root]);
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => a - b)) {
    const stat = read(pid, 'stat');
    const [parent = 0, ...fields] = stat
      .slice(stat.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number);
    if (stat === '' || !(found.has(pid) || found.has(parent))) continue;
    found.add(pid);
    const program = pid === root ? 'node' : stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    // Those that have ended are in the account of the one that started them.
    const ticks = fields.slice(9, 13).reduce((sum, one) => sum + one, 0);
    seconds[program] = (seconds[program] ?? 0) + ticks / 100;
  }
  const kib = Number(/VmRSS:\s+(\d+)/.exec(read(root, 'status'))?.[1] ?? 0);
  return { seconds, mebibytes: Math.round(kib / 1024) };
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // It has ended.
  }
}

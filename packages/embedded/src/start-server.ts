import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, portIsFree } from './free-port.ts';
import { type Command, type OwnedProcess, startOwned, stopOrphan, type Trace } from './owned-process.ts';
import { takeOwnership } from './owner-lock.ts';

/** A server that this process started and that runs until `stop`, even past the end of this process. */
export interface EmbeddedServer {
  name: string;
  url: string;
  port: number;
  version: string;
  pid: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Where data, log, password and port are kept; a second owner of the same folder is refused. */
  dataDir: string;
  /** Only this port will do. Without it the port of the last start is taken, or another when that is taken. */
  port?: number | undefined;
  /** Hears in a sentence what is being done. */
  onStep?: ((step: string) => void) | undefined;
}

/** What one sort of server does in its own way, inside the folder that it is given. */
export interface ServerKind {
  name: string;
  trace: Trace;
  prepare(): Promise<void>;
  command(port: number): Promise<Command>;
  /** Answers nothing while the server is not ready yet. */
  greet(port: number): Promise<{ url: string; version: string } | undefined>;
}

/** The first start after a crash replays what the crash left in the journal. */
const patience = 60_000;

/** Makes the folder of one server below the data folder, and answers its real path. */
export function folderOf(dataDir: string, server: string): string {
  mkdirSync(join(dataDir, server), { recursive: true });
  const folder = realpathSync(join(dataDir, server));
  if (process.getuid?.() === 0) {
    // PostgreSQL runs as another user than root, who may pass through here but not look around.
    for (const path of [join(folder, '..'), folder]) chmodSync(path, statSync(path).mode | 0o011);
  }
  return folder;
}

/** Runs the server in its folder, after ending the one that a crashed owner may have left there. */
export async function startServer(
  kind: ServerKind,
  folder: string,
  options: ServerOptions,
): Promise<EmbeddedServer> {
  const lock = takeOwnership(folder, kind.name);
  try {
    await stopOrphan(folder, kind.trace);
    await kind.prepare();
    const { running, ...server } = await startOnSomePort(kind, folder, options);
    options.onStep?.(`${kind.name} ${server.version} listens on 127.0.0.1:${server.port}.`);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= running.stop().finally(lock.release);
      return stopped;
    };
    return { name: kind.name, pid: running.pid, ...server, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startOnSomePort(kind: ServerKind, folder: string, options: ServerOptions) {
  const portFile = join(folder, 'port');
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort(kind.name, portFile, options.port);
    const running = await startOwned(folder, await kind.command(port), kind.trace.farewell);
    try {
      const greeting = await greeted(kind, port, running);
      writeFileSync(portFile, `${port}\n`);
      return { running, port, ...greeting };
    } catch (error) {
      await running.stop();
      // Another program was faster to take the port that was free a moment ago.
      const wasTaken = /address already in use/i.test(running.log());
      if (!wasTaken || options.port !== undefined || attempt === 3) throw error;
    }
  }
}

async function choosePort(name: string, portFile: string, wanted: number | undefined): Promise<number> {
  if (wanted === undefined) {
    const last = statSync(portFile, { throwIfNoEntry: false }) && Number(readFileSync(portFile, 'utf8'));
    return freePort(last || undefined);
  }
  if (await portIsFree(wanted)) return wanted;
  throw new Error(`Port ${wanted}, wanted for ${name}, is taken by another program. Name another or end it.`);
}

async function greeted(kind: ServerKind, port: number, running: OwnedProcess) {
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    if (running.hasEnded()) break;
    const greeting = await kind.greet(port);
    // Who answers may be another program on the same port, while ours ends for want of it.
    if (greeting && !running.hasEnded()) return greeting;
    await sleep(15);
  }
  const how = running.hasEnded() ? 'ended while starting' : `did not answer in ${patience / 1000} s`;
  throw new Error(`${kind.name} ${how}. Its log says:\n${running.log().trimEnd().slice(-2000)}`);
}

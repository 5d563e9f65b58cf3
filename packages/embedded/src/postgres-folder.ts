import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSharedFolder, type PostgresBinaries, sharedFolder } from './postgres-binaries.ts';
import { type Account, canReach } from './unprivileged-account.ts';

/** The name of the superuser and of the database. */
export const owner = 'crm';
const marker = 'crm-is-complete';

/** The folder of a database cluster, and how to create it. */
interface Cluster {
  readonly folder: string;
  readonly account: Account | undefined;
  /** Whether the data may be lost in a crash of the machine. */
  readonly isDisposable: boolean;
}

export const dataOf = (folder: string): string => join(folder, 'data');

/** The real path of the data, as in the server's command line. */
export function realDataOf(folder: string): string {
  const data = dataOf(folder);
  return fs.existsSync(data) ? fs.realpathSync(data) : data;
}

/** Whether `initdb` has completed. Only then is the folder a database, which is never deleted. */
export function isComplete(folder: string): boolean {
  return fs.existsSync(join(dataOf(folder), marker));
}

/** The superuser's password, created with the cluster and readable only by the current user. */
export function passwordOf(folder: string): string {
  const file = join(folder, 'password');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  if (isComplete(folder)) {
    throw new Error(
      `${file} is missing, so the database next to it cannot be accessed. Restore the file, or set CRM_DATA_DIR to another folder.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/**
 * Creates the cluster in a temporary folder and renames that when it is complete, so that a killed process leaves no
 * `data` behind. An existing `data` without the marker may be of value, so it is set aside.
 */
export async function createCluster(cluster: Cluster, binaries: PostgresBinaries) {
  const { folder, account } = cluster;
  const data = dataOf(folder);
  removeLeftovers(folder);
  if (fs.lstatSync(data, { throwIfNoEntry: false })) fs.renameSync(data, `${data}.incomplete-${Date.now()}`);

  const isReachable = !account || canReach(account, folder);
  const temporary = join(isReachable ? folder : sharedFolder, `initdb-${randomUUID()}`);
  if (!isReachable) openSharedFolder();
  createFor(account, temporary);
  try {
    await initdb(cluster, binaries, temporary);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true });
    throw error;
  }
  fs.writeFileSync(join(temporary, 'data', marker), '');
  if (isReachable) {
    fs.renameSync(join(temporary, 'data'), data);
    fs.rmdirSync(temporary);
  } else {
    const home = temporary.replace('initdb-', 'data-');
    fs.renameSync(temporary, home);
    fs.symlinkSync(join(home, 'data'), data);
  }
}

function removeLeftovers(folder: string) {
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith('initdb-')) fs.rmSync(join(folder, name), { recursive: true, maxRetries: 3 });
  }
}

function createFor(account: Account | undefined, folder: string) {
  fs.mkdirSync(folder, { mode: 0o700 });
  if (account) fs.chownSync(folder, account.uid, account.gid);
}

/** PostgreSQL's own sort order by code point, so that it is the same on every machine. */
async function initdb(
  { folder, account, isDisposable }: Cluster,
  { initdb }: PostgresBinaries,
  temporary: string,
) {
  const passwordFile = join(temporary, 'password');
  fs.writeFileSync(passwordFile, `${passwordOf(folder)}\n`, { mode: 0o600 });
  if (account) fs.chownSync(passwordFile, account.uid, account.gid);
  const args = [
    `--pgdata=${join(temporary, 'data')}`,
    `--username=${owner}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(isDisposable ? ['--no-sync'] : []),
  ];
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  await promisify(execFile)(initdb, args, { ...account, cwd: '/', env });
  fs.rmSync(passwordFile);
}

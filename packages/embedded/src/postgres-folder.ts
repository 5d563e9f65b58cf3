import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openShelter, type PostgresBinaries, shelter } from './postgres-binaries.ts';
import { type Account, canReach } from './unprivileged-account.ts';

/** The database is called as its superuser is. */
export const owner = 'crm';
const marker = 'crm-is-complete';

/** The folder of the cluster and what it takes to make one. */
export interface Cluster {
  folder: string;
  account: Account | undefined;
  /** Nothing of it has to outlive a crash of the machine. */
  isDisposable: boolean;
}

export const dataOf = (folder: string): string => join(folder, 'data');

/** The real path of the data, as it stands in the command line of the server. */
export function realDataOf(folder: string): string {
  const data = dataOf(folder);
  return fs.existsSync(data) ? fs.realpathSync(data) : data;
}

/** Whether `initdb` came to its end here. Only then is the folder a database, and nothing ever deletes it. */
export function isComplete(folder: string): boolean {
  return fs.existsSync(join(dataOf(folder), marker));
}

/** The superuser's password, made with the first cluster and readable by our user only. */
export function passwordOf(folder: string): string {
  const file = join(folder, 'password');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  if (isComplete(folder)) {
    throw new Error(
      `${file} is gone, and with it the way into the database beside it. Put it back, or set CRM_DATA_DIR to another folder.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/**
 * Makes the cluster elsewhere and moves it into place when it is whole: whoever is killed half-way leaves no
 * `data` behind. A `data` without the marker is not ours to judge, so it is set aside.
 */
export async function createCluster(cluster: Cluster, binaries: PostgresBinaries) {
  const { folder, account } = cluster;
  const data = dataOf(folder);
  removeLeftovers(folder);
  if (fs.lstatSync(data, { throwIfNoEntry: false })) fs.renameSync(data, `${data}.incomplete-${Date.now()}`);

  const nearby = !account || canReach(account, folder);
  const workshop = join(nearby ? folder : shelter, `initdb-${randomUUID()}`);
  if (!nearby) openShelter();
  makeFor(account, workshop);
  try {
    await initdb(cluster, binaries, workshop);
  } catch (error) {
    fs.rmSync(workshop, { recursive: true });
    throw error;
  }
  fs.writeFileSync(join(workshop, 'data', marker), '');
  if (nearby) {
    fs.renameSync(join(workshop, 'data'), data);
    fs.rmdirSync(workshop);
  } else {
    const home = workshop.replace('initdb-', 'data-');
    fs.renameSync(workshop, home);
    fs.symlinkSync(join(home, 'data'), data);
  }
}

function removeLeftovers(folder: string) {
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith('initdb-')) fs.rmSync(join(folder, name), { recursive: true, maxRetries: 3 });
  }
}

function makeFor(account: Account | undefined, folder: string) {
  fs.mkdirSync(folder, { mode: 0o700 });
  if (account) fs.chownSync(folder, account.uid, account.gid);
}

/** The sort order is PostgreSQL's own and by code point, so that it is the same on every machine. */
async function initdb(
  { folder, account, isDisposable }: Cluster,
  { initdb }: PostgresBinaries,
  workshop: string,
) {
  const passwordFile = join(workshop, 'password');
  fs.writeFileSync(passwordFile, `${passwordOf(folder)}\n`, { mode: 0o600 });
  if (account) fs.chownSync(passwordFile, account.uid, account.gid);
  const args = [
    `--pgdata=${join(workshop, 'data')}`,
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

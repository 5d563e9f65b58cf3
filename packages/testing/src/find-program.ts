import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, mkdtempDisposable, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program, and the variables that it needs besides those of this process. */
export interface Program {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
/** Outside the folder of the run, which is deleted, and readable by other users. */
const cache = `/var/tmp/crm-programs-${process.getuid?.() ?? ''}`;

/**
 * The first of the programs that the machine has; if it has none but has apt, one from a Debian package. The package is unpacked
 * with its dependencies but not installed, so that tests do not change the machine. Undefined if neither is available.
 */
export async function findProgram(
  names: readonly string[],
  debianPackage: string,
): Promise<Program | undefined> {
  const installed = firstIn(folders, names);
  if (installed) return { file: installed, env: {} };
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  const folder = join(cache, debianPackage);
  if (!existsSync(folder)) await unpack(debianPackage, folder);
  const file = firstIn([`${folder}/usr/bin`, `${folder}/usr/sbin`], names);
  const libraries = globSync(`${folder}/usr/lib/*-linux-gnu`).join(':');
  return file === undefined ? undefined : { file, env: { LD_LIBRARY_PATH: libraries } };
}

const firstIn = (among: readonly string[], names: readonly string[]) =>
  names.flatMap((name) => among.map((folder) => `${folder}/${name}`)).find(existsSync);

/** Another test file may do the same at the same time: the first one creates the folder. */
async function unpack(name: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  await using making = await mkdtempDisposable(join(cache, `${name}-`));
  const { path } = making;
  for (const part of ['archives/partial', 'lists/partial', 'files'])
    await mkdir(join(path, part), { recursive: true });
  const download = (...more: string[]) =>
    apt([...more, '-o', `Dir::Cache::archives=${path}/archives`], 'install', name);
  await download().catch(async () => {
    // A new machine has no package lists yet.
    const lists = ['-o', `Dir::State::lists=${path}/lists`];
    await apt(lists, 'update');
    await download(...lists);
  });
  for (const file of globSync(`${path}/archives/*.deb`))
    await run('dpkg-deb', ['-x', file, join(path, 'files')]);
  // Another user may run it.
  for (const one of [cache, join(path, 'files')]) await chmod(one, 0o755);
  await rename(join(path, 'files'), folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
}

const apt = (options: readonly string[], ...command: string[]) =>
  run(
    'apt-get',
    ['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', ...options, ...quietly, ...command],
    { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 600_000 },
  );
const quietly = ['-qq', '--yes', '--no-install-recommends', '--download-only'];

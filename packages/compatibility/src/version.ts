import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** The committed documents, current or as of a commit. */
export interface Version {
  readonly name: string;
  /** The text of a file; undefined if it does not exist. */
  readonly read: (path: string) => string | undefined;
  /** The paths of the service contracts. */
  readonly contracts: readonly string[];
}

export function workingTree(folder: string): Version {
  return {
    name: 'the working tree',
    read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined),
    contracts: globSync('services/*/contract.json', { cwd: folder }).sort(),
  };
}

export function atCommit(git: Git, commit: string): Version {
  const files = (git('ls-tree', '-r', '-z', '--name-only', commit) ?? '').split('\0');
  return {
    name: commit.slice(0, 10),
    read: (path) => (files.includes(path) ? git('show', `${commit}:./${path}`) : undefined),
    contracts: files.filter((path) => /^services\/[^/]+\/contract\.json$/.test(path)),
  };
}

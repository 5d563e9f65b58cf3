import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from './options.ts';
import type { Account } from './seed/agents.ts';

/** What a kept folder was seeded with. */
interface Kept {
  readonly contacts: number;
  readonly seed: string;
  readonly agents: readonly Account[];
}

const fileOf = (folder: string): string => join(folder, 'bench.json');

/** The folder of `--keep`, or a new one that is removed at the end. */
export function openDataFolder(keep: string | undefined, cleanup: AsyncDisposableStack): string {
  if (keep !== undefined) {
    mkdirSync(keep, { recursive: true });
    return resolve(keep);
  }
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'));
  // PostgreSQL may run as another user, which has to pass through.
  chmodSync(folder, 0o711);
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The accounts of a seeded folder, or undefined if the folder is to be seeded. Refuses a folder with other rows, and one with
 * anything else in it, which a seed would replace.
 */
export function readKept(folder: string, contacts: number): readonly Account[] | undefined {
  const file = fileOf(folder);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined;
  if (!existsSync(file))
    throw new UsageError(`${folder} holds something other than a finished seed. Name an empty folder.`);
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  if (kept.contacts !== contacts)
    throw new UsageError(
      `${folder} holds ${kept.contacts} contacts. Use --contacts ${kept.contacts}, or another folder.`,
    );
  if (kept.seed !== seedDigest())
    throw new UsageError(
      `${folder} was seeded by another version of bench. Remove it, or name another folder.`,
    );
  return kept.agents;
}

export function writeKept(folder: string, contacts: number, agents: readonly Account[]): void {
  const kept: Kept = { contacts, seed: seedDigest(), agents };
  writeFileSync(fileOf(folder), JSON.stringify(kept), { mode: 0o600 });
}

/** Rows are put back by what the code says now, which has to be what wrote them. */
function seedDigest(): string {
  const hash = createHash('sha256');
  for (const file of ['rows.ts', 'fill-ours.ts', 'fill-peers.ts', 'activity.ts'])
    hash.update(readFileSync(new URL(`seed/${file}`, import.meta.url)));
  return hash.digest('hex');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { keysFile } from '../system/secrets.ts';
import { serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';

const Table = z.object({
  columns: z.array(z.string()),
  rows: z.int(),
  /** The hash of the rows in PostgreSQL's text format, uncompressed. */
  sha256: z.string(),
});

const ServiceBackup = z.object({
  migrations: z.array(z.string()),
  tables: z.record(z.string(), Table),
  /** The last value of each sequence that was used. */
  sequences: z.record(z.string(), z.string()),
});

const Manifest = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime({ offset: true }),
  services: z.record(z.enum(serviceNames), ServiceBackup),
});

/** What a backup contains. */
export type Manifest = z.infer<typeof Manifest>;
export type ServiceBackup = z.infer<typeof ServiceBackup>;
export type TableBackup = z.infer<typeof Table>;

/** The file with the rows of a table, compressed. */
export const fileOf = (folder: string, service: string, table: string): string =>
  join(folder, service, `${table}.copy.gz`);

const manifestOf = (folder: string) => join(folder, 'manifest.json');

export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(manifestOf(folder), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** Throws if the folder contains no backup that this version can read. */
export function readManifest(folder: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(readFileSync(manifestOf(folder), 'utf8')));
  } catch {
    throw new Unable(
      'NoBackup',
      `${folder} contains no complete backup that this version can read. Name the folder that \`crm backup\` wrote.`,
    );
  }
}

/** The files of the data folder without which links, tokens of sub-accounts and the operator's token stop working. */
export const secretFiles = [keysFile, 'operator-token'] as const;

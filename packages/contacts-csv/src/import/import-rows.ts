import { Refused } from '@crm/contract';
import type { ActingClient } from '../acting-client.ts';
import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';
import type { Columns } from './columns.ts';
import { findKnown } from './find-known.ts';
import { groupsOf, inParallel } from './groups.ts';
import { type KnownContacts, knownContacts } from './known-contacts.ts';
import { fieldAt, type HotnessNamed, type ReadyRow, type RowError, readRow } from './read-row.ts';
import { keysOf, type Match } from './same-person.ts';
import type { Writer } from './writer.ts';

export interface ImportRun {
  readonly client: ActingClient;
  readonly columns: Columns;
  readonly hotnessNamed: HotnessNamed;
  readonly writer: Writer;
  readonly dryRun: boolean;
  readonly match: Match;
  readonly duplicates: 'update' | 'skip';
  /** Throws when the import should stop. */
  throwIfStopped(): void;
  /** Called after each chunk with the outcomes of its rows, also when the chunk was interrupted. */
  onChunk(outcomes: readonly Outcome[], end: number): void;
}

export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'skipped'; readonly id: number }
  | { readonly kind: 'failed'; readonly errors: readonly RowError[] };

/** Rows whose duplicates are looked up in one request. */
const chunkRows = 250;

/** Enough to keep the service busy, few enough to leave room for its users. */
const concurrentRequests = 8;

export async function importRows(run: ImportRun, rows: AsyncIterable<CsvRow>): Promise<void> {
  // The next chunk finds in the service what this one has written, except in a dry run.
  const dryRunContacts = run.dryRun ? knownContacts() : undefined;
  for await (const chunk of chunksOf(rows)) await importChunk(run, dryRunContacts ?? knownContacts(), chunk);
}

/** The rows before a malformed one are a chunk too. */
async function* chunksOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<readonly CsvRow[]> {
  let chunk: CsvRow[] = [];
  let broken: BrokenCsv | undefined;
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < chunkRows) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    broken = error;
  }
  if (chunk.length > 0) yield chunk;
  if (broken) throw broken;
}

async function importChunk(run: ImportRun, known: KnownContacts, rows: readonly CsvRow[]): Promise<void> {
  const outcomes: Outcome[] = [];
  try {
    const ready = rows.flatMap((row) => {
      const read = readRow(row, run.columns, run.hotnessNamed);
      if ('draft' in read) return [read];
      outcomes.push({ kind: 'failed', errors: read });
      return [];
    });
    for (const contact of await findKnown(run.client, ready, run.match)) known.add(contact);
    let groups = groupsOf(ready, ({ draft }) => known.tokens(keysOf(draft, run.match)));
    for (let attempt = 0; groups.length > 0; attempt++) {
      groups = await importGroups(run, known, groups, { attempt, outcomes });
    }
  } finally {
    run.onChunk(outcomes, rows.at(-1)?.end ?? 0);
  }
}

/**
 * Returns the groups that have to be repeated: a rerun gets the id of the contact that it created earlier, even if
 * that contact was removed since.
 */
async function importGroups(
  run: ImportRun,
  known: KnownContacts,
  groups: readonly ReadyRow[][],
  { attempt, outcomes }: { readonly attempt: number; readonly outcomes: Outcome[] },
): Promise<readonly ReadyRow[][]> {
  const done = new Map(groups.map((group) => [group, [] as Outcome[]]));
  try {
    await inParallel(groups, run.dryRun ? 1 : concurrentRequests, async (group) => {
      for (const row of group) done.get(group)?.push(await importRow(run, known, row, attempt));
    });
    const ids = [...done.values()].flat().flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    const removed = await run.writer.removed([...new Set(ids)]);
    for (const id of removed) known.remove(id);
    const repeated = groups.filter((group) =>
      done.get(group)?.some((outcome) => 'id' in outcome && removed.has(outcome.id)),
    );
    for (const group of repeated) done.delete(group);
    return repeated;
  } finally {
    outcomes.push(...[...done.values()].flat());
  }
}

async function importRow(
  { writer, columns, duplicates, match, throwIfStopped }: ImportRun,
  known: KnownContacts,
  row: ReadyRow,
  attempt: number,
): Promise<Outcome> {
  throwIfStopped();
  const keys = keysOf(row.draft, match);
  const same = known.match(keys);
  if (same && duplicates === 'skip') return { kind: 'skipped', id: same.id };
  try {
    if (!same) {
      const { id, address, existed } = await writer.create(row, attempt);
      known.add({ id, keys, address });
      return { kind: existed ? 'skipped' : 'created', id };
    }
    same.address = (await writer.change(same, row)).address;
    known.change(same, keys);
    return { kind: 'updated', id: same.id };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'failed', errors: errorsOf(error, row.line, columns) };
  }
}

function errorsOf({ errors, message }: Refused, line: number, { used }: Columns): RowError[] {
  const named = Object.entries(errors).map(([path, reason]) => {
    const field = fieldAt(path.split('.'));
    return { line, column: used.find((column) => column.field === field)?.header ?? '', reason };
  });
  return named.length > 0 ? named : [{ line, column: '', reason: message }];
}

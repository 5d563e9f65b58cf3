import type { ActingClient } from '../acting-client.ts';
import type { CsvRow } from '../csv/csv-rows.ts';
import { changeRow, leaveRow } from './change-row.ts';
import { ahead, chunksOf } from './chunks.ts';
import type { Columns } from './columns.ts';
import { findKnown } from './find-known.ts';
import { inParallel, wavesOf } from './groups.ts';
import { type KnownContacts, knownContacts } from './known-contacts.ts';
import { failed, type Outcome } from './outcome.ts';
import { readPolitely } from './read-politely.ts';
import type { InvalidRow, ReadyRow } from './read-row.ts';
import { isNamed, nameOf } from './same-name.ts';
import { keyList, keysOf, type Match } from './same-person.ts';
import { rowsOfRequest, type Writer } from './writer.ts';

/** The import of the rows of one user. */
export interface ImportRun {
  readonly client: ActingClient;
  /** Undefined for a file without columns. */
  readonly columns: Columns | undefined;
  readonly read: (row: CsvRow) => ReadyRow | InvalidRow;
  /** Identifies how rows are read: runs with the same value, and the same `forAll`, read each row in the same way. */
  readonly readsBy: string;
  readonly writer: Writer;
  readonly dryRun: boolean;
  /** How many contacts it changes at the same time. */
  readonly atOnce: number;
  readonly match: Match;
  readonly duplicates: 'update' | 'skip' | 'create';
  /** In a dry run, the contacts that it would have created, which the service does not know. */
  readonly known: KnownContacts | undefined;
  /** Contacts that got their name from a row, or were called by it in one. Another name is then somebody else. */
  readonly named: Set<number>;
}

/** The runs by the owners of the rows. */
export interface RunsByOwner {
  /** How many rows are looked up and written together, if that differs from the size of a request. */
  readonly rowsAtOnce?: number;
  ownerOf(row: CsvRow): string;
  /** Undefined for a person without an account. */
  runOf(owner: string): Promise<ImportRun | undefined>;
}

export interface ChunkControl {
  /** Throws when the import should stop. */
  throwIfStopped(): void;
  /** Called after each chunk with the outcomes of its rows, even if the chunk was interrupted. */
  onChunk(outcomes: readonly Outcome[], end: number): void;
}

export async function importRows(
  runs: RunsByOwner,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  control: ChunkControl,
): Promise<void> {
  for await (const chunk of ahead(chunksRead(runs, rows))) {
    if (chunk.run) await importChunk(chunk.run, chunk, control);
    else control.onChunk(chunk.outcomes, chunk.end);
  }
}

/** Rows of one owner that were read and checked, and the outcomes of those that cannot be written. */
interface Chunk {
  /** Undefined for a person without an account. */
  readonly run: ImportRun | undefined;
  readonly ready: readonly ReadyRow[];
  readonly outcomes: readonly Outcome[];
  readonly end: number;
}

async function* chunksRead(
  { ownerOf, runOf, rowsAtOnce = rowsOfRequest }: RunsByOwner,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunksOf(rows, rowsAtOnce)) {
    for (const [owner, some] of Map.groupBy(chunk, ownerOf))
      yield await readChunk(await runOf(owner), owner, some);
  }
}

async function readChunk(run: ImportRun | undefined, owner: string, rows: readonly CsvRow[]): Promise<Chunk> {
  const read = await readPolitely(rows, (row) => run?.read(row) ?? withoutOwner(row, owner));
  const ready = read.filter((one) => 'draft' in one);
  const outcomes = read.flatMap((one): Outcome[] => ('draft' in one ? [] : [{ kind: 'failed', ...one }]));
  return { run, ready, outcomes, end: rows.at(-1)?.end ?? 0 };
}

function withoutOwner(row: CsvRow, owner: string): InvalidRow {
  const reason =
    owner === ''
      ? 'has no owner; name one, or import with --user'
      : `has an owner without an active account, ${owner}; create the account, or import with --user`;
  return { row, warnings: [], errors: [{ line: row.line, column: '', reason }] };
}

async function importChunk(run: ImportRun, chunk: Chunk, control: ChunkControl): Promise<void> {
  const outcomes = [...chunk.outcomes];
  // The next chunk finds the contacts that this one has written through the service.
  const known = run.known ?? knownContacts(run.match);
  try {
    for (const wave of await wavesIn(run, known, chunk.ready)) {
      control.throwIfStopped();
      await importWave({ ...run, ...control, known }, wave, outcomes);
    }
  } finally {
    control.onChunk(outcomes, chunk.end);
  }
}

/** The rows in the order of the file, except that each comes after those that may be about the same person. */
async function wavesIn(run: ImportRun, known: KnownContacts, ready: readonly ReadyRow[]) {
  if (run.duplicates === 'create') return [ready];
  for (const contact of await findKnown(run, ready)) known.add(contact);
  const keys = new Map(ready.map((row) => [row, keyList(keysOf(row.draft), run.match)]));
  return wavesOf(ready, (row) => keys.get(row) ?? [], known.linkedBy);
}

type Wave = ImportRun & ChunkControl & { readonly known: KnownContacts };

async function importWave(run: Wave, wave: readonly ReadyRow[], outcomes: Outcome[]): Promise<void> {
  const matched = wave.map((ready) => ({
    ready,
    same: run.duplicates === 'create' ? undefined : run.known.match(keysOf(ready.draft), nameOf(ready.draft)),
  }));
  const created = matched.flatMap(({ ready, same }) => (same ? [] : [ready]));
  await createRows(run, created, outcomes);
  await inParallel(matched, run.dryRun ? 1 : run.atOnce, async ({ ready, same }) => {
    if (same) outcomes.push(await changeRow(run, ready, same));
  });
}

async function createRows(
  { writer, duplicates, known, named }: Wave,
  rows: readonly ReadyRow[],
  outcomes: Outcome[],
): Promise<void> {
  if (rows.length === 0) return;
  for (const [index, written] of (await writer.create(rows)).entries()) {
    const ready = rows[index];
    if (!ready) continue;
    if ('errors' in written) outcomes.push(failed(ready, written.errors));
    else {
      const contact = { id: written.id, keys: keysOf(ready.draft), name: nameOf(ready.draft) };
      known.add(contact);
      if (duplicates === 'update' && written.isNew && isNamed(contact.name)) named.add(contact.id);
      outcomes.push(
        written.isNew ? { ...ready, kind: 'created' } : await leaveRow(writer, ready, { contact, alike: [] }),
      );
    }
  }
}

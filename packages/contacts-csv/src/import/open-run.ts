import type { ActingClient } from '../acting-client.ts';
import type { Format } from '../format.ts';
import { persistently } from '../persistently.ts';
import { type Catalogue, loadHotnesses, loadSources } from './catalogues.ts';
import type { Column, Columns } from './columns.ts';
import { findCustomFields } from './custom-fields.ts';
import { findPeople } from './find-people.ts';
import type { ImportRun } from './import-rows.ts';
import { knownContacts } from './known-contacts.ts';
import type { ForAll, MayCreate, Names } from './names.ts';
import { readRow } from './read-row.ts';
import type { Match } from './same-person.ts';
import { type Changing, dryWriter, liveWriter } from './writer.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly duplicates: ImportRun['duplicates'];
  readonly match: Match;
  /** Creates custom fields and hotnesses that do not exist. */
  readonly createMissing: boolean;
  /** What the account may create, if known. Otherwise the creation is refused when a row needs it. */
  readonly mayCreate?: MayCreate;
  /** The current date, which determines the century of a two-digit year. */
  readonly today: string;
  readonly forAll?: ForAll | undefined;
  /** Makes the steps of a change atomic. Without it, earlier steps are kept if a later one is refused. */
  readonly changing?: Changing;
  /** Whether the client runs in this process, one call after the other, instead of sending requests. */
  readonly isLocal?: boolean;
}

interface Source {
  readonly format: Format;
  readonly columns: Columns;
  readonly allOthers: boolean;
  readonly hash: string;
}

const everything: MayCreate = { hotness: true, source: true, customField: true };

/** Enough to keep the service busy, and few enough to leave room for its users. */
const concurrentRequests = 8;

/** The import of a file without columns, whose rows are read by `read`. They contain no names, so no records are looked up. */
export async function openLinesRun(
  client: ActingClient,
  hash: string,
  options: ImportOptions,
  read: ImportRun['read'],
): Promise<ImportRun> {
  const catalogues = await loadCatalogues(client);
  return {
    client,
    columns: undefined,
    read,
    readsBy: '',
    ...writing(client, hash, options, catalogues),
  };
}

interface Catalogues {
  readonly hotnesses: Catalogue;
  readonly sources: Catalogue;
}

const loadCatalogues = async ({ contacts, userId }: ActingClient): Promise<Catalogues> => ({
  hotnesses: await loadHotnesses(contacts, userId),
  sources: await loadSources(contacts, userId),
});

function writing(
  client: ActingClient,
  fileHash: string,
  { dryRun, match, duplicates, changing, isLocal = false }: ImportOptions,
  catalogues: Catalogues,
) {
  return {
    dryRun,
    match,
    duplicates,
    writer: dryRun
      ? dryWriter(client, fileHash)
      : liveWriter({ client, fileHash, ...catalogues, changing, inRequests: !isLocal }),
    known: dryRun ? knownContacts(match) : undefined,
    named: new Set<number>(),
    atOnce: isLocal ? 1 : concurrentRequests,
  };
}

/** The import of a CSV file for a user. */
export async function openRun(
  client: ActingClient,
  file: Source,
  options: ImportOptions,
): Promise<ImportRun & { readonly columns: Columns }> {
  const catalogues = await loadCatalogues(client);
  const { hotnesses, sources } = catalogues;
  const { mayCreate = everything } = options;
  const { columns, ids } = await findCustomFields(client, file.columns, {
    ...options,
    mayCreate: mayCreate.customField,
    allOthers: file.allOthers,
  });
  const people = await persistently(() => client.colleagues());
  const names: Names = {
    format: file.format,
    userId: client.userId,
    hotness: hotnesses.find,
    source: sources.find,
    person: findPeople(people),
    customField: ({ index }: Column) => ids.get(index) ?? 0,
    createMissing: options.createMissing,
    addsEach: options.duplicates === 'create',
    mayCreate,
    forAll: options.forAll,
    today: options.today,
  };
  return {
    client,
    columns,
    read: (row) => readRow(row, columns, names),
    readsBy: readsByOf(catalogues, { ...options, mayCreate }, [columns, [...ids], people]),
    ...writing(client, file.hash, options, catalogues),
  };
}

/** Missing sources are created, so they only matter for an account that may not create any. */
function readsByOf(
  { hotnesses, sources }: Catalogues,
  { mayCreate, createMissing, today }: Pick<Names, 'mayCreate' | 'createMissing' | 'today'>,
  others: readonly unknown[],
): string {
  const known = [hotnesses.records, mayCreate.source ? null : sources.records];
  return JSON.stringify([known, mayCreate, createMissing, today, ...others]);
}

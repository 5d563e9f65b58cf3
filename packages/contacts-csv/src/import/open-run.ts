import type { ActingClient } from '../acting-client.ts';
import type { Format } from '../format.ts';
import { persistently } from '../persistently.ts';
import { type Catalogue, loadHotnesses } from './catalogues.ts';
import type { Column, Columns } from './columns.ts';
import { findCustomFields } from './custom-fields.ts';
import { findPeople } from './find-people.ts';
import type { ImportRun } from './import-rows.ts';
import { knownContacts } from './known-contacts.ts';
import { type ForAll, type Names, readRow } from './read-row.ts';
import type { Match } from './same-person.ts';
import { dryWriter, liveWriter } from './writer.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly duplicates: ImportRun['duplicates'];
  readonly match: Match;
  /** Creates custom fields and hotnesses that do not exist. */
  readonly createMissing: boolean;
  /** The current date, which decides the century of a year of two digits. */
  readonly today: string;
  readonly forAll?: ForAll | undefined;
  /** Whether the client does one thing after the other and in this process, instead of sending requests. */
  readonly isLocal?: boolean;
}

interface Source {
  readonly format: Format;
  readonly columns: Columns;
  readonly allOthers: boolean;
  readonly hash: string;
}

/** Enough to keep the service busy, few enough to leave room for its users. */
const concurrentRequests = 8;

/** The import of a file without columns, whose rows `read` reads. They name nothing, so no records are looked up. */
export async function openLinesRun(
  client: ActingClient,
  hash: string,
  options: ImportOptions,
  read: ImportRun['read'],
): Promise<ImportRun> {
  const hotnesses = await loadHotnesses(client.contacts, client.userId);
  return {
    client,
    columns: undefined,
    read,
    readsBy: '',
    ...options,
    ...(await writing(client, hash, options, hotnesses)),
  };
}

async function writing(
  client: ActingClient,
  hash: string,
  { dryRun, isLocal = false }: ImportOptions,
  hotnesses: Catalogue,
) {
  return {
    writer: dryRun
      ? dryWriter()
      : await liveWriter({ client, fileHash: hash, hotnesses, inRequests: !isLocal }),
    known: dryRun ? knownContacts() : undefined,
    atOnce: isLocal ? 1 : concurrentRequests,
  };
}

/** The import of a CSV file for a user. */
export async function openRun(
  client: ActingClient,
  file: Source,
  options: ImportOptions,
): Promise<ImportRun & { readonly columns: Columns }> {
  const hotnesses = await loadHotnesses(client.contacts, client.userId);
  const { columns, ids } = await findCustomFields(client, file.columns, {
    ...options,
    allOthers: file.allOthers,
  });
  const people = await persistently(() => client.colleagues());
  const names: Names = {
    format: file.format,
    userId: client.userId,
    hotness: hotnesses.find,
    person: findPeople(people),
    customField: ({ index }: Column) => ids.get(index) ?? 0,
    createMissing: options.createMissing,
    forAll: options.forAll,
    today: options.today,
  };
  return {
    client,
    columns,
    read: (row) => readRow(row, columns, names),
    readsBy: JSON.stringify([
      hotnesses.records,
      columns,
      [...ids],
      options.createMissing,
      options.today,
      people,
    ]),
    ...options,
    ...(await writing(client, file.hash, options, hotnesses)),
  };
}

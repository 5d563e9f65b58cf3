import { hash, randomUUID } from 'node:crypto';
import { Refused } from '@crm/contract';
import type { ActingClient, SentRow } from '../acting-client.ts';
import type { Draft } from '../format.ts';
import { persistently } from '../persistently.ts';
import type { Catalogue } from './catalogues.ts';
import type { Known } from './known-contacts.ts';
import { matchAddresses } from './match-addresses.ts';
import { type OptOutScope, optContactOut } from './opt-contact-out.ts';
import type { ReadyRow } from './read-row.ts';

/** The outcome of a row: a contact, or errors by field. */
export type Written =
  | { readonly id: number; readonly isNew: boolean }
  | { readonly errors: Readonly<Record<string, string>> };

export interface Writer {
  /** The same row of the same file creates one contact, however often the import is run. */
  create(rows: readonly ReadyRow[]): Promise<readonly Written[]>;
  change(contact: Known, row: ReadyRow): Promise<void>;
  /** Changes only which messages a contact gets. */
  optOut(contact: Known, row: ReadyRow, scope?: OptOutScope): Promise<void>;
}

/** Above the id of any existing record, so that contacts of a dry run come after these. */
const firstRehearsedId = 2 ** 31;

/** Whether a contact is one that a dry run would have added. */
export const isRehearsedId = (id: number): boolean => id >= firstRehearsedId;

/** Writes nothing, and returns the same values as if it had. */
export function dryWriter({ contacts }: ActingClient, fileHash: string): Writer {
  return {
    async create(rows) {
      const keys = rows.map(({ line }) => keyOf(fileHash, line));
      const found = await persistently(() => contacts.importedRows.known({ keys }));
      const known = new Map(found.map(({ key, contact_id }) => [key, contact_id]));
      return rows.map(({ line }) => {
        const id = known.get(keyOf(fileHash, line));
        return id === undefined ? { id: firstRehearsedId + line, isNew: true } : { id, isNew: false };
      });
    },
    change: async () => undefined,
    optOut: async () => undefined,
  };
}

/** The maximum number of rows in one request, and of their characters. Larger requests would hold their locks for too long. */
export const rowsOfRequest = 250;
const charactersOfRequest = 500_000;

interface Target {
  readonly client: ActingClient;
  readonly fileHash: string;
  readonly hotnesses: Catalogue;
  readonly sources: Catalogue;
  /** Whether each call is a request, and should be small. */
  readonly inRequests: boolean;
  readonly changing?: Changing | undefined;
}

/** Runs a change of a contact, which takes several client calls, so that either all of them take effect or none. */
export type Changing = (
  id: number,
  row: ReadyRow,
  change: (client: ActingClient) => Promise<void>,
) => Promise<void>;

export function liveWriter(target: Target): Writer {
  const { client, fileHash, inRequests, changing = (_id, _row, change) => change(client) } = target;
  const runId = randomUUID();
  const add = (rows: readonly SentRow[]) =>
    persistently(() => client.contacts.importedRows.add({ rows: [...rows] }));
  return {
    async create(rows) {
      const written = new Map<ReadyRow, Written>();
      const sent = new Map<ReadyRow, SentRow>();
      for (const row of rows) {
        const contact = await completed(row.draft, row, target).catch(refusalIn);
        if (contact instanceof Refused) written.set(row, { errors: { '': contact.message } });
        else sent.set(row, sentRow(row, keyOf(fileHash, row.line), contact));
      }
      const outcomes = [];
      const all = [...sent.values()];
      for (const some of inRequests ? portionsOf(all) : [all]) outcomes.push(...(await add(some)));
      for (const [index, row] of [...sent.keys()].entries())
        if (outcomes[index]) written.set(row, writtenBy(outcomes[index]));
      return rows.flatMap((row) => written.get(row) ?? []);
    },
    async change({ id }, row) {
      // First, because other rows may refer to the created records.
      const draft = await completed(row.changes, row, target);
      await changing(id, row, async (within) => {
        const api = within.contacts;
        // First, because a new number or address inherits the opt-out, and nothing is sent to it in between.
        await optContactOut(within, id, row);
        for (const user_id of row.sharedWith)
          await persistently(() => api.shares.create({ contact_id: id, user_id }));
        const changes = { id, ...(await changesOf(within, id, row, draft)) };
        // Unlike a creation, a change is a new request in each run; only a retry has the same key.
        const idempotencyKey = keyOf(runId, row.line, changes);
        await persistently(() => api.contacts.patch(changes, { idempotencyKey }));
      });
    },
    optOut: ({ id }, row, scope) => optContactOut(client, id, row, scope),
  };
}

const sentRow = ({ sharedWith, optOuts, destinations }: ReadyRow, key: string, contact: Draft): SentRow => ({
  key,
  contact,
  shared_with: [...sharedWith],
  ...(optOuts.length > 0 && { opt_outs: [...optOuts], destinations }),
});

/**
 * What a row changes. It has the time of the file only if that is the time of the contact, as in an export; the contact then
 * keeps it unless another field changes. With any other time, those who follow changes by it would miss this one.
 */
async function changesOf({ contacts }: ActingClient, id: number, row: ReadyRow, draft: Draft) {
  const { addresses, modified_at, ...fields } = draft;
  if (addresses === undefined && modified_at === undefined) return fields;
  const stored = await persistently(() =>
    contacts.contacts.get({ id, $select: ['addresses', 'modified_at'] }),
  );
  const isSameTime = Date.parse(modified_at ?? '') === Date.parse(stored.modified_at);
  return {
    ...fields,
    ...(addresses && { addresses: matchAddresses(stored.addresses, row) }),
    ...(isSameTime && { modified_at }),
  };
}

/** A draft with the source and hotness that the row names; they are created if they do not exist. */
async function completed(
  draft: Draft,
  { source, hotness }: ReadyRow,
  { sources, hotnesses }: Target,
): Promise<Draft> {
  return {
    ...draft,
    ...(source !== undefined && { source_id: await sources.findOrCreate(source) }),
    ...(hotness !== undefined && { hotness_id: await hotnesses.findOrCreate(hotness) }),
  };
}

/** If a source or a hotness is refused, only the row that names it cannot be written. */
function refusalIn(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

type Outcome = Awaited<ReturnType<ActingClient['contacts']['importedRows']['add']>>[number];

const writtenBy = ({ id, is_new, errors }: Outcome): Written =>
  id === null ? { errors } : { id, isNew: is_new };

function* portionsOf(rows: readonly SentRow[]): Generator<readonly SentRow[]> {
  let some: SentRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    if (some.length > 0 && (some.length === rowsOfRequest || characters + length > charactersOfRequest)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(row);
    characters += length;
  }
  if (some.length > 0) yield some;
}

function keyOf(...parts: readonly unknown[]): string {
  return `import-${hash('sha256', JSON.stringify(parts))}`;
}

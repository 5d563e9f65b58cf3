import { createHash, randomUUID } from 'node:crypto';
import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import { loadSources, type SourceNamed } from './catalogues.ts';
import type { Known } from './known-contacts.ts';
import type { Draft, ReadyRow } from './read-row.ts';

export interface Written {
  readonly id: number;
  readonly address: number | undefined;
  /** Whether an earlier import of the same file created it. */
  readonly existed: boolean;
}

export interface Writer {
  /** The same row of the same file creates one contact per `attempt`, however often the import is run. */
  create(row: ReadyRow, attempt: number): Promise<Written>;
  change(contact: Known, row: ReadyRow): Promise<Written>;
  /** Those of the given contacts that no longer exist. */
  removed(ids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Writes nothing, and returns the same values as if it had. */
export function dryWriter(): Writer {
  let id = 2 ** 31; // Above the id of any existing record, so that these come after them.
  return {
    create: async () => ({ id: id++, address: undefined, existed: false }),
    change: async ({ id, address }) => ({ id, address, existed: true }),
    removed: async () => new Set(),
  };
}

export async function liveWriter(client: ActingClient, fileHash: string): Promise<Writer> {
  const { contacts: api, userId } = client;
  const runId = randomUUID();
  const newest = await newestContact(client);
  const sourceNamed = await loadSources(api, userId, async (name) => {
    const idempotencyKey = keyOf(runId, name);
    const source = await persistently(() => api.contactSources.create({ name }, { idempotencyKey }));
    return source.id;
  });
  return {
    async create(row, attempt) {
      const draft = await completed(row, sourceNamed);
      const idempotencyKey = keyOf(fileHash, userId, row.line, draft, attempt);
      const { id, addresses } = await persistently(() => api.contacts.create(draft, { idempotencyKey }));
      return { id, address: addresses[0]?.id, existed: id <= newest };
    },
    async change({ id, address }, row) {
      const { addresses, ...fields } = await completed(row, sourceNamed);
      const withId = addresses?.map((one) => (address === undefined ? one : { ...one, id: address }));
      const changes = { id, ...fields, ...(withId && { addresses: withId }) };
      // Unlike a creation, a change is intended anew in each run; only a repeated request has the same key.
      const idempotencyKey = keyOf(runId, row.line, changes);
      const changed = await persistently(() => api.contacts.patch(changes, { idempotencyKey }));
      return { id, address: changed.addresses[0]?.id, existed: true };
    },
    async removed(ids) {
      if (ids.length === 0) return new Set();
      const query = { id: { $in: ids }, $limit: 1000, $select: ['id'] } as const;
      const { data } = await persistently(() => api.contacts.find(query));
      const existing = new Set(data.map(({ id }) => id));
      return new Set(ids.filter((id) => !existing.has(id)));
    },
  };
}

async function completed({ draft, source }: ReadyRow, sourceNamed: SourceNamed): Promise<Draft> {
  return source === undefined ? draft : { ...draft, source_id: await sourceNamed(source) };
}

/** Ids only grow, so a response with this id or a lower one comes from an earlier import. */
async function newestContact({ contacts, userId }: ActingClient): Promise<number> {
  const query = { owner_user_id: userId, $sort: { id: -1 }, $limit: 1, $select: ['id'] } as const;
  const { data } = await persistently(() => contacts.contacts.find(query));
  return data[0]?.id ?? 0;
}

function keyOf(...parts: readonly unknown[]): string {
  return `import-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

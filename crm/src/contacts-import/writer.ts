import { createHash, randomUUID } from 'node:crypto';
import type { Acting } from '../system/acting-for.ts';
import { loadSources, type SourceNamed } from './catalogues.ts';
import type { Known } from './known-contacts.ts';
import { persistently } from './persistently.ts';
import type { Draft, ReadyRow } from './read-row.ts';

export interface Written {
  readonly id: number;
  readonly address: number | undefined;
  /** Whether an earlier import of the same file had added it already. */
  readonly wasThere: boolean;
}

export interface Writer {
  /** The same row of the same file adds one contact, however often the import is run; one for each `attempt`. */
  create(row: ReadyRow, attempt: number): Promise<Written>;
  change(contact: Known, row: ReadyRow): Promise<Written>;
  /** Which of them are not there any more. */
  gone(ids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Writes nothing and answers as if it had. */
export function dryWriter(): Writer {
  let id = 2 ** 31; // Above any id that a record can have, so that these come after those that are there.
  return {
    create: async () => ({ id: id++, address: undefined, wasThere: false }),
    change: async ({ id, address }) => ({ id, address, wasThere: true }),
    gone: async () => new Set(),
  };
}

export async function liveWriter(acting: Acting, fileHash: string): Promise<Writer> {
  const { contacts: api, userId } = acting;
  const runId = randomUUID();
  const newest = await newestContact(acting);
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
      return { id, address: addresses[0]?.id, wasThere: id <= newest };
    },
    async change({ id, address }, row) {
      const { addresses, ...fields } = await completed(row, sourceNamed);
      const placed = addresses?.map((one) => (address === undefined ? one : { ...one, id: address }));
      const changes = { id, ...fields, ...(placed && { addresses: placed }) };
      // A change is meant anew each time, unlike an addition, and only a repeated request is the same one.
      const idempotencyKey = keyOf(runId, row.line, changes);
      const changed = await persistently(() => api.contacts.patch(changes, { idempotencyKey }));
      return { id, address: changed.addresses[0]?.id, wasThere: true };
    },
    async gone(ids) {
      if (ids.length === 0) return new Set();
      const query = { id: { $in: ids }, $limit: 1000, $select: ['id'] } as const;
      const { data } = await persistently(() => api.contacts.find(query));
      const there = new Set(data.map(({ id }) => id));
      return new Set(ids.filter((id) => !there.has(id)));
    },
  };
}

async function completed({ draft, source }: ReadyRow, sourceNamed: SourceNamed): Promise<Draft> {
  return source === undefined ? draft : { ...draft, source_id: await sourceNamed(source) };
}

/** Ids only grow, so an answer with this id or a lower one was given to an earlier import. */
async function newestContact({ contacts, userId }: Acting): Promise<number> {
  const query = { owner_user_id: userId, $sort: { id: -1 }, $limit: 1, $select: ['id'] } as const;
  const { data } = await persistently(() => contacts.contacts.find(query));
  return data[0]?.id ?? 0;
}

function keyOf(...parts: readonly unknown[]): string {
  return `import-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

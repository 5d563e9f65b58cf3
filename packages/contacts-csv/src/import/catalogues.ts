import type { ContactsClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { HotnessNamed } from './read-row.ts';

interface Named {
  readonly id: number;
  readonly user_id: number;
  readonly name: string | null;
}

/** The user's own before shared ones, the exact name before one in another case, the older before the newer. */
function byName(records: readonly Named[], userId: number): Map<string, number> {
  const named = new Map<string, number>();
  const ranked = records.toSorted(
    (a, b) => Number(b.user_id === userId) - Number(a.user_id === userId) || a.id - b.id,
  );
  for (const keyOf of [exact, folded]) {
    for (const { id, name } of ranked) {
      const key = keyOf(name ?? '');
      if (key !== '' && !named.has(key)) named.set(key, id);
    }
  }
  return named;
}

const exact = (name: string) => name;
const folded = (name: string) => name.toLowerCase();

type FindPage = (query: {
  id: { $gt: number };
  $sort: { id: 1 };
  $limit: number;
}) => Promise<{ data: readonly Named[] }>;

async function findAll(find: FindPage): Promise<Named[]> {
  const found: Named[] = [];
  for (;;) {
    const after = found.at(-1)?.id ?? 0;
    const { data } = await persistently(() => find({ id: { $gt: after }, $sort: { id: 1 }, $limit: 1000 }));
    found.push(...data);
    if (data.length < 1000) return found;
  }
}

export async function loadHotnesses({ hotnesses }: ContactsClient, userId: number): Promise<HotnessNamed> {
  const named = byName(await findAll((query) => hotnesses.find(query)), userId);
  return (name) => named.get(name) ?? named.get(folded(name));
}

/** The id of the source with that name, which is created if it does not exist. */
export type SourceNamed = (name: string) => Promise<number>;

export async function loadSources(
  { contactSources }: ContactsClient,
  userId: number,
  create: (name: string) => Promise<number>,
): Promise<SourceNamed> {
  const named = byName(await findAll((query) => contactSources.find(query)), userId);
  const created = new Map<string, Promise<number>>();
  return (name) => {
    const id = named.get(name) ?? named.get(folded(name));
    if (id !== undefined) return Promise.resolve(id);
    // If several rows need it at the same time, one creates it.
    const source = created.get(folded(name)) ?? create(name);
    created.set(folded(name), source);
    return source;
  };
}

import type { Contacts } from '../system/acting-for.ts';
import { persistently } from './persistently.ts';
import type { HotnessNamed } from './read-row.ts';

interface Named {
  readonly id: number;
  readonly user_id: number;
  readonly name: string | null;
}

/** The user's own before others that are seen, the exact name before one in other letters, the older before the newer. */
function byName(records: readonly Named[], userId: number): Map<string, number> {
  const named = new Map<string, number>();
  const ranked = records.toSorted(
    (a, b) => Number(b.user_id === userId) - Number(a.user_id === userId) || a.id - b.id,
  );
  for (const spelt of [exact, folded]) {
    for (const { id, name } of ranked) {
      const key = spelt(name ?? '');
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

async function all(find: FindPage): Promise<Named[]> {
  const found: Named[] = [];
  for (;;) {
    const after = found.at(-1)?.id ?? 0;
    const { data } = await persistently(() => find({ id: { $gt: after }, $sort: { id: 1 }, $limit: 1000 }));
    found.push(...data);
    if (data.length < 1000) return found;
  }
}

export async function loadHotnesses({ hotnesses }: Contacts, userId: number): Promise<HotnessNamed> {
  const named = byName(await all((query) => hotnesses.find(query)), userId);
  return (name) => named.get(name) ?? named.get(folded(name));
}

/** The id of the source with that name, which is added when it is not there. */
export type SourceNamed = (name: string) => Promise<number>;

export async function loadSources(
  { contactSources }: Contacts,
  userId: number,
  add: (name: string) => Promise<number>,
): Promise<SourceNamed> {
  const named = byName(await all((query) => contactSources.find(query)), userId);
  const adding = new Map<string, Promise<number>>();
  return (name) => {
    const id = named.get(name) ?? named.get(folded(name));
    if (id !== undefined) return Promise.resolve(id);
    // Of several rows that want it at once, one adds it.
    const added = adding.get(folded(name)) ?? add(name);
    adding.set(folded(name), added);
    return added;
  };
}

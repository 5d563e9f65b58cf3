import { randomUUID } from 'node:crypto';
import type { ContactsClient, Named, Records } from '../acting-client.ts';
import { persistently } from '../persistently.ts';

/**
 * The user's own records take precedence over shared ones, an exact name over another case, and an older record over a newer one.
 */
function byName(records: readonly Named[], userId: number): Map<string, number> {
  const named = new Map<string, number>();
  const ranked = records.toSorted(
    (a, b) => Number(b.user_id === userId) - Number(a.user_id === userId) || a.id - b.id,
  );
  for (const keyOf of [exact, lowerCased]) {
    for (const { id, name } of ranked) {
      const key = keyOf(name ?? '');
      if (key !== '' && !named.has(key)) named.set(key, id);
    }
  }
  return named;
}

const exact = (name: string) => name;
const lowerCased = (name: string) => name.toLowerCase();

export async function findAll<Found extends { readonly id: number }>(
  find: Records<Found>['find'],
): Promise<Found[]> {
  const found: Found[] = [];
  for (;;) {
    const after = found.at(-1)?.id ?? 0;
    const { data } = await persistently(() => find({ id: { $gt: after }, $sort: { id: 1 }, $limit: 1000 }));
    found.push(...data);
    if (data.length < 1000) return found;
  }
}

/** The records of one of the user's catalogs, by name. */
export interface Catalogue {
  readonly records: readonly Named[];
  find(name: string): number | undefined;
  /** The id of the record with that name, which is created if it does not exist. */
  findOrCreate(name: string): Promise<number>;
}

/** `create` is called once per name, however many rows need it. */
async function catalogueOf(
  find: Records<Named>['find'],
  userId: number,
  create: (name: string, key: { readonly idempotencyKey: string }) => Promise<{ readonly id: number }>,
): Promise<Catalogue> {
  const add = async (name: string): Promise<number> => {
    const key = { idempotencyKey: randomUUID() };
    return (await persistently(() => create(name, key))).id;
  };
  const records = await findAll(find);
  const named = byName(records, userId);
  const created = new Map<string, Promise<number>>();
  const known = (name: string) => named.get(name) ?? named.get(lowerCased(name));
  return {
    records,
    find: known,
    findOrCreate(name) {
      const id = known(name);
      if (id !== undefined) return Promise.resolve(id);
      const record = created.get(lowerCased(name)) ?? add(name);
      created.set(lowerCased(name), record);
      return record;
    },
  };
}

export const loadHotnesses = ({ hotnesses }: ContactsClient, userId: number): Promise<Catalogue> =>
  catalogueOf(
    (query) => hotnesses.find(query),
    userId,
    (name, key) => hotnesses.create({ name }, key),
  );

export const loadSources = ({ contactSources }: ContactsClient, userId: number): Promise<Catalogue> =>
  catalogueOf(
    (query) => contactSources.find(query),
    userId,
    (name, key) => contactSources.create({ name }, key),
  );

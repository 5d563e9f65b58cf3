import DataLoader from 'dataloader';
import type { Knex } from 'knex';

type Row = Readonly<Record<string, unknown>>;
export type Loaders = ReturnType<typeof loadersFor>;

/** What one request looks up: one statement of each kind for all contacts of a page. */
export function loadersFor(db: Knex, userId: number) {
  let fields: Promise<Row[]> | undefined;
  return {
    hotness: byId((ids) => db('hotnesses').whereIn('id', ids).select('id', 'name', 'rank', 'color')),
    source: byId((ids) =>
      db('contact_sources').whereIn('id', ids).select('id', 'name', 'user_id', 'created_at'),
    ),
    addresses: byContact((ids) =>
      db('addresses')
        .whereIn('contact_id', ids)
        .orderBy('id')
        .select('contact_id', 'id', 'type', 'street_address_1', 'street_address_2', 'zip', 'city', 'state')
        .select('created_at', 'modified_at'),
    ),
    tags: byContact((ids) =>
      db('contact_tags')
        .join('tags', 'tags.id', 'contact_tags.tag_id')
        .whereIn('contact_id', ids)
        .whereNull('tags.removed_at')
        .orderBy(['contact_id', 'position'])
        .select('contact_id', 'content'),
    ),
    fieldValues: byContact((ids) =>
      db('custom_field_values').whereIn('contact_id', ids).select('contact_id', 'custom_field_id', 'value'),
    ),
    fields: (): Promise<Row[]> => {
      fields ??= fieldsOf(db, userId);
      return fields;
    },
  };
}

async function fieldsOf(db: Knex, userId: number): Promise<Row[]> {
  return db('custom_fields')
    .where({ user_id: userId })
    .orderBy(['rank', 'id'])
    .select('id', 'user_id', 'name', 'rank', 'data_type');
}

type Load = (ids: readonly number[]) => PromiseLike<Row[]>;

function byId(load: Load) {
  return new DataLoader<number, Row | null>(async (ids) => {
    const found = new Map((await load(ids)).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  });
}

function byContact(load: Load) {
  return new DataLoader<number, Row[]>(async (ids) => {
    const found = Map.groupBy(await load(ids), (row) => row.contact_id);
    return ids.map((id) => found.get(id) ?? []);
  });
}

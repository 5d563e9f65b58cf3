import type { EntityName } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { queryIn } from './database.ts';

/** The columns of an entity. */
type Columns<Entity> = {
  readonly [Name in keyof Entity as Entity[Name] extends (...args: never) => unknown ? never : Name]?:
    | Entity[Name]
    | undefined;
};

/**
 * Inserts rows of an entity with one statement, in the transaction of the entity manager and without making entities of
 * them, which costs more than the statement. Columns that are not given are null, and ids are reserved ones, or new if none is
 * given. Returns the ids, in order.
 */
export async function insertRows<Entity extends { id: number }>(
  em: EntityManager,
  entity: EntityName<Entity>,
  rows: readonly Columns<NoInfer<Entity>>[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const { tableName, columns: others } = tableOf(em, entity);
  const columns = rows.some((row) => 'id' in row) ? `id, ${others}` : others;
  const inserted = await queryIn(em)(
    `insert into ${tableName} (${columns})
     select ${columns} from jsonb_populate_recordset(null::${tableName}, $1::jsonb) returning id`,
    [JSON.stringify(rows)],
  );
  return inserted.map(({ id }) => Number(id));
}

/** Ids for rows that will be inserted, in ascending order, so that what refers to them can be sent together with them. */
export async function reserveIds<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  count: number,
): Promise<number[]> {
  const { tableName } = tableOf(em, entity);
  const rows = await queryIn(em)(
    'select nextval($1::text::regclass)::int as id from generate_series(1, $2::int)',
    [`${tableName}_id_seq`, count],
  );
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

/** Changes the given columns of a row in the same way. A value that is undefined changes nothing. */
export async function updateRow<Entity extends { id: number }>(
  em: EntityManager,
  entity: EntityName<Entity>,
  id: number,
  changes: Columns<NoInfer<Entity>>,
): Promise<void> {
  const { tableName, columns } = tableOf(em, entity);
  // All columns are set, so that there is one statement, whichever of them change.
  await queryIn(em)(
    `update ${tableName} set (${columns}) =
       (select ${columns} from jsonb_populate_record(${tableName}, $2::jsonb)) where id = $1`,
    [id, JSON.stringify(changes)],
  );
}

/** The table of an entity, and its columns without the key, which PostgreSQL assigns. */
function tableOf<Entity extends object>(em: EntityManager, entity: EntityName<Entity>) {
  const { tableName, props } = em.getMetadata().get<Entity>(entity);
  const columns = props.filter(({ primary }) => !primary).map(({ name }) => name);
  return { tableName, columns: columns.join(', ') };
}

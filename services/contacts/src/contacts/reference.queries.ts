import { hasRows, type Query, queryIds } from '@crm/data';
import { type Column, isAmong } from '@crm/query';

const tables = { hotness_id: 'hotnesses', source_id: 'contact_sources' } as const;

/** A column of contacts with the id of a record that can be removed while contacts still have its id. */
export type Reference = keyof typeof tables;

export const references = Object.keys(tables) as readonly Reference[];

/**
 * SQL for the ids of removed records that contacts may still have. They are few and read once per statement. It uses a range,
 * which the planner takes for a small part of the table even without statistics; otherwise it would expect most records to be
 * removed, and read them all.
 */
const removedFrom = (reference: Reference) =>
  `select id from ${tables[reference]} where removed_at between '-infinity' and 'infinity'`;

/** SQL for an id, or null if it is that of a removed record. */
const presentId = (reference: Reference, id: string) =>
  `case when not ${id} = any(array(${removedFrom(reference)})) then ${id} end`;

/**
 * A reference as everybody reads it: null once its record was removed. Conditions use the indexes of the column, so a removed
 * value is replaced by null beforehand, which nothing equals.
 */
export const unlessRemoved = (reference: Reference): Pick<Column, 'equals'> & { readonly sql: string } => {
  const column = `contacts.${reference}`;
  return {
    sql: presentId(reference, column),
    equals: (ids, binds) =>
      isAmong({ kind: 'integer', sql: column }, ids, binds, (id) => presentId(reference, id)),
  };
};

/** SQL for whether a record is the one that a contact refers to. */
export const isReferredTo = (reference: Reference): string =>
  `${tables[reference]}.id = contacts.${reference} and ${tables[reference]}.removed_at is null`;

/** SQL for the record that a contact refers to, removed or not. */
export const rowOf = (reference: Reference): string =>
  `(select one from ${tables[reference]} one where one.id = contacts.${reference})`;

/** Whether a record was removed, and contacts may still have its id. */
export function isRemoved(query: Query, reference: Reference, id: number): Promise<boolean> {
  const text = `select from ${tables[reference]} where id = $1::int and removed_at is not null`;
  return hasRows(query, text, [id]);
}

export const removedIds = (query: Query, reference: Reference): Promise<number[]> =>
  queryIds(query, removedFrom(reference), []);

/**
 * Clears a reference to a record on a portion of the contacts that have it, without waiting for those that are being changed.
 * Returns a row for each contact. With equality, the planner might read all contacts to find the last ones.
 */
export function clearSome(
  query: Query,
  reference: Reference,
  id: number,
  portionSize: number,
): Promise<readonly unknown[]> {
  return query(
    `update contacts set ${reference} = null where id = any(array(
       select id from contacts where ${reference} between $1::int and $1::int
       order by ${reference} limit $2::int for update skip locked)) returning true as cleared`,
    [id, portionSize],
  );
}

/** Deletes a removed record that no contact has. */
export async function deleteRemoved(query: Query, reference: Reference, id: number): Promise<void> {
  await query(
    `delete from ${tables[reference]} where id = $1::int and removed_at is not null
     and not exists (select from contacts where ${reference} between $1::int and $1::int)`,
    [id],
  );
}

import { type Actor, isUser, type User } from '@crm/auth';
import { arrayOfAll, type Query, queryRows, type Read, readModel, sqlOfVisible } from '@crm/data';
import { Binds, type Column } from '@crm/query';
import type { Context } from '@crm/service';
import { z } from 'zod';
import { CustomFieldView } from './custom-field.api.ts';
import { visibleCustomFields } from './custom-field.policy.ts';

export const customFieldRows = readModel(CustomFieldView, {
  table: 'custom_fields',
  visible: visibleCustomFields,
  hidden: { removed_at: { kind: 'instant', sql: 'custom_fields.removed_at' } },
});

/** How many custom fields a user has. Requests of the same user that add one wait for each other. */
export async function lockOwnFields(query: Query, userId: number): Promise<number> {
  await query("select pg_advisory_xact_lock(hashtext('custom fields'), $1::int)", [userId]);
  const own = 'select from custom_fields where user_id = $1 and removed_at is null';
  return (await query(own, [userId])).length;
}

/**
 * SQL for the custom fields of a contact: all that the viewer sees, by rank, with the contact's value or null. The
 * system, which has no fields of its own, sees those with a value.
 */
export function customFieldsOnContact(viewer: Actor, binds: Binds, read: Read): string {
  if (isUser(viewer) && read === 'page') return fieldsOnEach(viewer, binds);
  const visible = isUser(viewer) ? visibleTo(viewer, binds) : 'removed_at is null and value is not null';
  return arrayOfAll(
    `select custom_fields.id, user_id, name, rank, data_type, value from custom_fields
     left join custom_field_values on custom_field_id = custom_fields.id and contact_id = contacts.id
     where ${visible} order by rank, custom_fields.id`,
  );
}

const visibleTo = (viewer: User, binds: Binds) => sqlOfVisible(customFieldRows, viewer, binds);

/**
 * The fields do not depend on a contact, so PostgreSQL reads them, and writes the start of their JSON, once for a whole page.
 */
function fieldsOnEach(viewer: User, binds: Binds): string {
  const field = `f.start || coalesce(to_json(value)::text, 'null') || '}'`;
  return `(select '[' || coalesce(string_agg(${field}, ',' order by f.place), '') || ']'
    from unnest(${onEach('id', viewer, binds)}, ${startsOfFields(viewer, binds)}) with ordinality f (id, start, place)
    left join custom_field_values on custom_field_id = f.id and contact_id = contacts.id)::json`;
}

/** SQL for the part of the JSON of the fields that the viewer sees that is the same for all contacts, as an array. */
export const startsOfFields = (viewer: User, binds: Binds): string =>
  onEach(`rtrim(to_json(o)::text, '}') || ',"value":'`, viewer, binds);

function onEach(sql: string, viewer: User, binds: Binds): string {
  const fields = `select id, user_id, name, rank, data_type from custom_fields where ${visibleTo(viewer, binds)}`;
  return `(select array_agg(${sql} order by rank, id) from (${fields}) o)`;
}

export type CustomFieldType = z.output<typeof CustomFieldView>['data_type'];

const TypedField = z.object({ id: z.string(), data_type: CustomFieldView.shape.data_type });

/** The types of those custom fields that the caller sees, by their ids as they were sent. */
export async function typesOfFields(
  { query, actor }: Pick<Context, 'query' | 'actor'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomFieldType>> {
  const binds = new Binds();
  const among = `id::text = any(${binds.add(ids)}::text[])`;
  const visible = isUser(actor) ? visibleTo(actor, binds) : 'removed_at is null';
  const rows = await queryRows(
    query,
    TypedField,
    `select id::text, data_type from custom_fields where ${among} and ${visible}`,
    binds.values,
  );
  return new Map(rows.map(({ id, data_type }) => [id, data_type]));
}

/**
 * Numbers and amounts as people write them. A comma is allowed only between groups of three digits: where it is decimal, 1250,50
 * would otherwise be a hundred times as much.
 */
const amount = String.raw`regexp_replace(value, '[$€£%\s\u00a0\u202f]', '', 'g')`;
const number = `case when ${amount} ~ '^[-+]?([0-9]{1,15}|[0-9]{1,3}(,[0-9]{3}){1,4})([.][0-9]{1,10})?$'
  then replace(${amount}, ',', '')::numeric end`;
const comparable: Readonly<Record<CustomFieldType, string>> = {
  Text: 'value',
  Number: number,
  'Dollar Amt': number,
  Date: `case when value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then left(value, 10) end`,
};

/** The values of a custom field of contacts. A value that does not have the type of the field counts as none. */
export function columnOfValues(id: string, type: CustomFieldType): Column {
  const isText = type === 'Text' || type === 'Date';
  return {
    kind: isText ? 'text' : 'number',
    sql: (binds) => `(select ${comparable[type]} from custom_field_values
      where contact_id = contacts.id and custom_field_id = ${binds.add(Number(id))}::int)`,
  };
}

/** Writes values of a contact, by the ids of their fields. */
export async function setValues(
  query: Query,
  contactId: number,
  values: ReadonlyMap<number, string>,
): Promise<void> {
  await query(
    `insert into custom_field_values (contact_id, custom_field_id, value)
     select $1, * from unnest($2::int[], $3::text[])
     on conflict (contact_id, custom_field_id) do update set value = excluded.value`,
    [contactId, [...values.keys()], [...values.values()]],
  );
}

interface ValueOfContact {
  readonly contact_id: number;
  readonly custom_field_id: number;
  readonly value: string;
}

/** Writes values of contacts that have none yet. */
export async function setValuesOfContacts(query: Query, values: readonly ValueOfContact[]): Promise<void> {
  await query(
    `insert into custom_field_values (contact_id, custom_field_id, value)
     select contact_id, custom_field_id, value
     from jsonb_to_recordset($1::jsonb) v (contact_id int, custom_field_id int, value text)`,
    [JSON.stringify(values)],
  );
}

export async function clearValues(query: Query, contactId: number, ids: readonly number[]): Promise<void> {
  await query('delete from custom_field_values where contact_id = $1 and custom_field_id = any($2::int[])', [
    contactId,
    ids,
  ]);
}

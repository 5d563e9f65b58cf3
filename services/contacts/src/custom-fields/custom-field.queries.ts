import { type Actor, isUser } from '@crm/auth';
import { arrayText, type Query, readModel } from '@crm/data';
import { type Binds, sqlOfRule } from '@crm/query';
import { CustomFieldView } from './custom-field.api.ts';
import { visibleCustomFields } from './custom-field.policy.ts';

export const customFieldRows = readModel(CustomFieldView, {
  table: 'custom_fields',
  visible: visibleCustomFields,
});

/**
 * SQL for the custom fields of a contact: all that the viewer sees, by rank, with the contact's value or null. The
 * system, which has no fields of its own, sees those with a value.
 */
export function customFieldsOnContact(viewer: Actor, binds: Binds): string {
  const shown = isUser(viewer)
    ? sqlOfRule(visibleCustomFields(viewer), customFieldRows.columns, binds)
    : 'value is not null';
  const fields = `select id, user_id, name, rank, data_type, value
    from custom_fields left join custom_field_values
      on custom_field_id = custom_fields.id and custom_field_values.contact_id = contacts.id
    where ${shown} order by rank, id`;
  return `(select ${arrayText} from (${fields}) o)::json`;
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

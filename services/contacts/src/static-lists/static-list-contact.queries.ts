import type { User } from '@crm/auth';
import type { Query, ReadModel } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { visibleContacts } from '../contacts/contact.policy.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { FlatContactView } from './static-list-contact.api.ts';

/** Contacts as they are everywhere else, seen by the same people, with the lists they are on to be asked for. */
export const flatContactRows: ReadModel = {
  ...contactRows,
  fields: new Map([...contactRows.fields].filter(([name]) => name in FlatContactView.shape)),
  columns: {
    ...contactRows.columns,
    static_list_id: {
      kind: 'integer',
      sql: 'null',
      equals: (ids, binds) =>
        `contacts.id in (select contact_id from static_list_contacts where static_list_id = any(${binds.add(ids)}::int[]))`,
    },
  },
};

/** Which of some contacts a user sees. They are kept from being removed until the transaction ends. */
export async function holdSeenContacts(
  query: Query,
  user: User,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const binds = new Binds();
  const rows = await query(
    `select contacts.id from contacts where contacts.id = any(${binds.add(ids)}::int[])
       and ${sqlOfRule(visibleContacts(user), contactRows.columns, binds)}
     order by contacts.id for key share`,
    binds.values,
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Puts contacts on a list, which gets a new version if any was not there yet. Answers the version and the new ones. */
export async function addToStaticList(
  query: Query,
  listId: number,
  contactIds: readonly number[],
  at: Date,
): Promise<{ readonly version: number; readonly added: readonly number[] }> {
  const [row] = await query(
    `with added as (
       insert into static_list_contacts (static_list_id, contact_id, added_at)
       select $1::int, unnest($2::int[]), $3::timestamptz on conflict do nothing returning contact_id
     ), touched as (
       update static_lists set version = version + 1, modified_at = $3::timestamptz
       where id = $1::int and exists (select from added) returning version
     )
     select (select version from touched), array(select contact_id from added order by contact_id) as added`,
    [listId, contactIds, at],
  );
  return { version: Number(row?.version), added: (row?.added ?? []) as number[] };
}

import type { User } from '@crm/auth';
import { filterOfVisible, type Query, queryFirst, queryIds, queryRow, type ReadModel } from '@crm/data';
import { Binds } from '@crm/query';
import { z } from 'zod';
import { contactRows } from '../contacts/contact.queries.ts';
import { FlatContactView } from './static-list-contact.api.ts';

/** Contacts with the same visibility as everywhere else, which can be filtered by their static list. */
export const flatContactRows: ReadModel = {
  ...contactRows,
  fingerprint: undefined,
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

/** Those of some contacts that a user sees, locked against removal until the transaction ends. */
export async function lockSeenContacts(
  query: Query,
  user: User,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const binds = new Binds();
  const seen = await queryIds(
    query,
    `select contacts.id from contacts where contacts.id = any(${binds.add(ids)}::int[])
       and ${filterOfVisible(contactRows, user, binds)}
     order by contacts.id for key share`,
    binds.values,
  );
  return new Set(seen);
}

const Extension = z.object({ version: z.int().nullable(), added: z.array(z.int()) });

/** Adds contacts to a list and increments its version if any is new. Returns the version and the new contacts. */
export async function addToStaticList(
  query: Query,
  listId: number,
  contactIds: readonly number[],
  at: Date,
): Promise<{ readonly version: number; readonly added: number[] }> {
  const { version, added } = await queryRow(
    query,
    Extension,
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
  return { version: version ?? 0, added };
}

const Version = z.object({ version: z.int() });

/** Removes a contact from a list and increments its version, which it returns; undefined if the contact is not on it. */
export async function removeFromStaticList(
  query: Query,
  listId: number,
  contactId: number,
  at: Date,
): Promise<number | undefined> {
  const row = await queryFirst(
    query,
    Version,
    `with removed as (
       delete from static_list_contacts where static_list_id = $1::int and contact_id = $2::int returning contact_id
     )
     update static_lists set version = version + 1, modified_at = $3::timestamptz
     where id = $1::int and exists (select from removed) returning version`,
    [listId, contactId, at],
  );
  return row?.version;
}

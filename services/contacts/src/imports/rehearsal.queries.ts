import { comparablePhone } from '@crm/contacts-csv/phone';
import { hasRows, type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';

/** A contact that a dry run would have added or changed, or that an import has named. */
const Rehearsed = z.object({
  id: z.coerce.number(),
  email: z.string().nullable(),
  mobile_phone: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  is_named: z.boolean(),
});
type Rehearsed = z.output<typeof Rehearsed>;

interface Wanted {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** Contacts that have one of these in the service, but may have others by now. */
  readonly ids: readonly number[];
}

/** Those that have one of some e-mail addresses or mobile phones, and those with one of some ids. */
export function rehearsedMatches(
  query: Query,
  importId: number,
  { emails, phones, ids }: Wanted,
): Promise<Rehearsed[]> {
  const found =
    'select id, email, phone as mobile_phone, first_name, last_name, is_named from import_rehearsals where import_id = $1::int';
  return queryRows(
    query,
    Rehearsed,
    `${found} and email = any($2::text[]) union ${found} and phone = any($3::text[])
     union ${found} and id = any($4::bigint[]) order by id`,
    [importId, emails.map((email) => email.toLowerCase()), phones.map(comparablePhone), ids],
  );
}

/** Those of some contacts that an import has named. */
export async function namedAmong(
  query: Query,
  importId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const text =
    'select id::int from import_rehearsals where import_id = $1::int and id = any($2::bigint[]) and is_named';
  return new Set(await queryIds(query, text, [importId, ids]));
}

/** Remembers that rows of an import have named contacts, because a row with another name is about somebody else. */
export async function noteNamed(query: Query, importId: number, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return;
  await query(
    `insert into import_rehearsals (import_id, id, is_named) select $1::int, id, true from unnest($2::bigint[]) c (id)
     on conflict (import_id, id) do nothing`,
    [importId, [...ids]],
  );
}

/** Whether an earlier row has given the tags of the import to a contact. */
export function isRehearsedTagged(query: Query, importId: number, id: number): Promise<boolean> {
  return hasRows(
    query,
    'select true as found from import_rehearsals where import_id = $1::int and id = $2::bigint and is_tagged',
    [importId, id],
  );
}

export async function noteRehearsed(
  query: Query,
  importId: number,
  contacts: readonly Rehearsed[],
  tagged: ReadonlySet<number>,
) {
  if (contacts.length === 0) return;
  await query(
    `insert into import_rehearsals as r (import_id, id, email, phone, is_tagged, first_name, last_name, is_named)
     select $1::int, id, email, phone, is_tagged, first_name, last_name, is_named
     from unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::boolean[])
       c (id, email, phone, is_tagged, first_name, last_name, is_named)
     on conflict (import_id, id) do update
     set email = excluded.email, phone = excluded.phone, is_tagged = r.is_tagged or excluded.is_tagged,
       first_name = excluded.first_name, last_name = excluded.last_name, is_named = excluded.is_named`,
    [
      importId,
      contacts.map(({ id }) => id),
      contacts.map(({ email }) => email?.toLowerCase() ?? null),
      contacts.map(({ mobile_phone }) => (mobile_phone === null ? null : comparablePhone(mobile_phone))),
      contacts.map(({ id }) => tagged.has(id)),
      contacts.map(({ first_name }) => first_name),
      contacts.map(({ last_name }) => last_name),
      contacts.map(({ is_named }) => is_named),
    ],
  );
}

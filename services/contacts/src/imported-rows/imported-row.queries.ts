import type { User } from '@crm/auth';
import { toE164 } from '@crm/contacts-csv/phone';
import { filterOfVisible, type Query, queryIds, queryRows, type ReadModel, untilFewer } from '@crm/data';
import { all, Binds } from '@crm/query';
import { z } from 'zod';
import { importedRowApi } from './imported-row.api.ts';

/**
 * The contacts of an owner with one of some e-mail addresses or mobile phones. The owner is compared after the values were
 * found, behind `offset 0`: while an account is being filled, the planner believes it is empty and would read all of its
 * contacts for each value. Texts that are no numbers or addresses are ignored, because different people have them.
 */
export function contactsWith(
  query: Query,
  ownerId: number,
  emails: readonly string[],
  phones: readonly string[],
) {
  const numbers = phones.map(toE164).filter((number) => number !== null);
  const joined = (values: string, condition: string) =>
    `select id, email, mobile_phone, first_name, last_name from unnest(${values}::text[]) value
     join lateral (select * from contacts where ${condition} offset 0) c on c.owner_user_id = $1`;
  return queryRows(
    query,
    importedRowApi.matches.output.element,
    `${joined('$2', 'email is not null and lower(email) = lower(value)')}
     union ${joined('$3', 'mobile_phone_e164 is not null and mobile_phone_e164 = value')} order by id`,
    [ownerId, emails.filter((email) => email.includes('@')), numbers],
  );
}

/**
 * Those of the ids whose records the user sees, locked against removal until the transaction ends. The ids are one
 * parameter, so that there is one prepared statement, however many they are.
 */
export async function lockUsable(
  query: Query,
  user: User,
  model: ReadModel,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlySet<number>> {
  const wanted = [...new Set(ids)].filter((id) => id != null);
  if (wanted.length === 0) return new Set();
  const binds = new Binds();
  const condition = `${model.table}.id = any(${binds.add(wanted)}::int[])`;
  const seen = filterOfVisible(model, user, binds);
  const found = await queryIds(
    query,
    `select id from ${model.table} where ${all(condition, seen)} order by id for share`,
    binds.values,
  );
  return new Set(found);
}

const RowContact = z.object({ key: z.string(), contact_id: z.int() });

/** The contacts that earlier imports created from rows, by the keys of the rows. */
export async function contactsOfRows(query: Query, userId: number, keys: readonly string[]) {
  const rows = await queryRows(
    query,
    RowContact,
    `select key, contact_id from imported_rows
     where user_id = $1 and key = any($2::text[]) and contact_id is not null`,
    [userId, keys],
  );
  return new Map(rows.map(({ key, contact_id }) => [key, contact_id]));
}

const ClaimedRow = z.object({ key: z.string() });

/**
 * Records which contacts are about to be created from rows, and returns the keys of rows that no contact was created from
 * before. Waits for imports that add the same rows; the order is fixed, so that they cannot deadlock. The contacts must be
 * added before the transaction ends.
 */
export async function claimRows(
  query: Query,
  userId: number,
  contacts: ReadonlyMap<string, number>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows(
    query,
    ClaimedRow,
    `insert into imported_rows as r (user_id, key, contact_id, created_at)
     select $1, key, contact_id, $4 from unnest($2::text[], $3::int[]) new (key, contact_id) order by key
     on conflict (user_id, key) do update set contact_id = excluded.contact_id where r.contact_id is null
     returning key`,
    [userId, [...contacts.keys()], [...contacts.values()], now],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Deletes what is known of rows that were imported 30 days ago. Nobody continues such an import. */
export async function forgetImportedRows(query: Query): Promise<void> {
  await untilFewer(5_000, (most) =>
    query(
      `delete from imported_rows where ctid = any(array(
         select ctid from imported_rows where created_at < now() - interval '30 days'
         order by created_at limit $1 for update skip locked)) returning true as deleted`,
      [most],
    ),
  );
}

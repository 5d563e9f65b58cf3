import type { User } from '@crm/auth';
import { filterOfVisible, type Query, queryIds, queryRows } from '@crm/data';
import { all, Binds } from '@crm/query';
import { z } from 'zod';
import { contactRows } from './contact.queries.ts';
import { contactAccessApi } from './contact-access.api.ts';

const Access = z.object({ id: z.int(), owner_user_id: z.int(), assigned_user_id: z.int().nullable() });

/** Those of the ids that the user sees, with the fields that further rights depend on. */
export function seenAmong(query: Query, user: User, ids: readonly number[]) {
  const binds = new Binds();
  const wanted = `contacts.id = any(${binds.add(ids)}::int[])`;
  const visible = filterOfVisible(contactRows, user, binds);
  const text = `select id, owner_user_id, assigned_user_id from contacts where ${all(wanted, visible)} order by id`;
  return queryRows(query, Access, text, binds.values);
}

/** Some columns of all of the ids, whoever owns them: for the system only. */
export function columnsOf<Columns extends z.ZodObject>(
  query: Query,
  columns: Columns,
  ids: readonly number[],
  expressions: Readonly<Record<string, string>> = {},
): Promise<z.output<Columns>[]> {
  const names = Object.keys(columns.shape).map((name) =>
    expressions[name] ? `${expressions[name]} as ${name}` : name,
  );
  const text = `select ${names} from contacts where id = any($1::int[]) order by id`;
  return queryRows(query, columns, text, [ids]);
}

/** The contacts with one of some e-mail addresses. */
export function idsWithEmail(query: Query, emails: readonly string[]): Promise<number[]> {
  const text = `select id from contacts
    where lower(email) = any(array(select lower(one) from unnest($1::text[]) one)) order by id`;
  return queryIds(query, text, [emails]);
}

/** SQL for the parts of its addresses that tell where a contact is. */
export const addressesOf = `(
  select coalesce(jsonb_agg(jsonb_build_object('state', state, 'zip', zip) order by id), '[]')
  from addresses where contact_id = contacts.id
)`;

/** The contacts whose mobile phone has a number, whoever owns them: for the system only. */
export function idsWithMobilePhone(query: Query, number: string): Promise<number[]> {
  const text = 'select id from contacts where mobile_phone_e164 = $1 order by id';
  return queryIds(query, text, [number]);
}

/** Those of the contacts whose mobile phones have some numbers that the user sees. */
export function seenWithMobilePhones(query: Query, user: User, numbers: readonly string[]) {
  const binds = new Binds();
  const wanted = `contacts.mobile_phone_e164 = any(${binds.add(numbers)}::text[])`;
  const visible = filterOfVisible(contactRows, user, binds);
  const names = 'id, first_name, last_name, mobile_phone_e164';
  const text = `select ${names} from contacts where ${all(wanted, visible)} order by id`;
  return queryRows(query, contactAccessApi.withMobilePhones.output.element, text, binds.values);
}

/** Those of the contacts whose texts are paused that the user sees, the longest paused first. */
export function seenWithPausedTexts(query: Query, user: User, limit: number) {
  const binds = new Binds();
  const most = binds.add(limit);
  const visible = filterOfVisible(contactRows, user, binds);
  const text = `select id, first_name, last_name, mobile_phone_e164
    from contacts join text_pauses paused on paused.number = contacts.mobile_phone_e164
    where ${all('paused.ended_at is null', visible)} order by paused.paused_at, id limit ${most}`;
  return queryRows(query, contactAccessApi.withPausedTexts.output.element, text, binds.values);
}

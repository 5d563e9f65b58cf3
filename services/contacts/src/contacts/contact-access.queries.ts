import type { User } from '@crm/auth';
import type { Query, Row } from '@crm/data';
import { all, Binds, sqlOfRule } from '@crm/query';
import { visibleContacts } from './contact.policy.ts';
import { contactRows } from './contact.queries.ts';

/** Those of the ids that the user sees, with what decides on further rights. */
export function seenAmong(query: Query, user: User, ids: readonly number[]): Promise<readonly Row[]> {
  const binds = new Binds();
  const among = `contacts.id = any(${binds.add(ids)}::int[])`;
  const sight = sqlOfRule(visibleContacts(user), contactRows.columns, binds);
  return query(
    `select id, owner_user_id, assigned_user_id from contacts where ${all(among, sight)} order by id`,
    binds.values,
  );
}

/** Some columns of all of the ids, whoever owns them: for the system only. */
export function columnsOf(
  query: Query,
  columns: readonly string[],
  ids: readonly number[],
): Promise<readonly Row[]> {
  return query(`select ${columns.join(', ')} from contacts where id = any($1::int[]) order by id`, [ids]);
}

/** All whose mobile phone has a number, whoever owns them: for the system only. */
export async function idsWithMobilePhone(query: Query, number: string): Promise<number[]> {
  const rows = await query('select id from contacts where mobile_phone_e164 = $1 order by id', [number]);
  return rows.map(({ id }) => Number(id));
}

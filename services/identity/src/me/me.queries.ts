import { noRecord } from '@crm/contract';
import { type Query, queryFirst, storedDate } from '@crm/data';
import type { z } from 'zod';
import { CurrentUserView } from './me.api.ts';

const Row = CurrentUserView.omit({ timezone_offset: true, created_at: true, modified_at: true }).extend({
  created_at: storedDate,
  modified_at: storedDate,
});

/** The user as stored, without the offset of the time zone, which is computed from Node's time zone data. */
export type CurrentUser = z.output<typeof Row>;

/** Throws NotFound. */
export async function currentUser(query: Query, id: number): Promise<CurrentUser> {
  const user = await queryFirst(
    query,
    Row,
    `select u.id, u.first_name, u.last_name, u.email, u.phone, u.pending_phone, u.timezone, u.has_text_alerts, u.has_call_alerts, u.created_at,
       u.modified_at,
       case when u.pending_phone is not null then (
         select c.problem from phone_codes c where c.user_id = u.id order by c.id desc limit 1
       ) end as pending_phone_problem
     from users u where u.id = $1`,
    [id],
  );
  if (!user) throw noRecord(id);
  return user;
}

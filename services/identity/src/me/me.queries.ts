import type { Query } from '@crm/data';

/** The row for GET /me. The handler computes the offset, because only Node's time zone data counts. */
export async function userById(query: Query, id: number) {
  const [row] = await query(
    `select u.id, u.first_name, u.last_name, u.email, u.phone, u.pending_phone, u.timezone, u.created_at,
       u.modified_at,
       case when u.pending_phone is not null then (
         select c.problem from phone_codes c where c.user_id = u.id order by c.id desc limit 1
       ) end as pending_phone_problem
     from users u where u.id = $1`,
    [id],
  );
  return row;
}

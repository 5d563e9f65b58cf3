import type { Query } from '@crm/data';

/** The row for GET /me. The handler computes the offset, because only Node's time zone data counts. */
export async function userById(query: Query, id: number) {
  const [row] = await query(
    `select id, first_name, last_name, email, phone, timezone, created_at, modified_at from users where id = $1`,
    [id],
  );
  return row;
}

import type { Query } from '@crm/data';

/** The row behind GET /me; the offset is reckoned outside, because only Node's zone rules count. */
export async function userById(query: Query, id: number) {
  const [row] = await query(
    `select id, first_name, last_name, email, timezone, created_at, modified_at from users where id = $1`,
    [id],
  );
  return row;
}

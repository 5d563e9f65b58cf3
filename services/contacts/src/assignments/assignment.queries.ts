import { hasRows, type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const Owned = z.object({
  id: z.int(),
  assigned_user_id: z.int().nullable(),
  /** Whether the assignment would be undone with a delegation. */
  is_delegated: z.boolean(),
});

/** The next contacts of an owner, and whom they are assigned to. */
export function ownedAfter(query: Query, ownerId: number, after: number, limit: number) {
  return queryRows(
    query,
    Owned,
    `select id, assigned_user_id,
       exists (select from delegated_assignments a where a.contact_id = contacts.id) as is_delegated
     from contacts where owner_user_id = $1::int and id > $2::int order by id limit $3::int`,
    [ownerId, after, limit],
  );
}

/** Whether an owner has contacts that nobody else sees, except through a team. */
export const hasOwnContacts = (query: Query, ownerId: number): Promise<boolean> =>
  hasRows(
    query,
    `select from contacts where owner_user_id = $1::int and coalesce(assigned_user_id, $1::int) = $1::int
       and shared_user_ids = '{}' limit 1`,
    [ownerId],
  );

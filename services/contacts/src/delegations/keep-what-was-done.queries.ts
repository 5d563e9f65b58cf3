import type { Query } from '@crm/data';

/**
 * Lets what a delegation has assigned and shared outlive it, as if the user had done it without a broker. The contacts must be
 * locked. Assignments of other delegations that came later are still undone with those.
 */
export async function keepWhatWasDone(
  query: Query,
  delegationId: number,
  contactIds: readonly number[],
): Promise<void> {
  const given = [delegationId, contactIds];
  await query(
    `with repeated as (
       delete from repeated_shares where delegation_id = $1 and contact_id = any($2::int[]) returning share_id)
     update contact_shares set delegation_id = null
     where contact_id = any($2::int[]) and (delegation_id = $1 or id in (select share_id from repeated))`,
    given,
  );
  // The records below are deleted with it.
  await query(
    'delete from delegated_assignments where delegation_id = $1 and contact_id = any($2::int[])',
    given,
  );
  await query(
    `delete from replaced_assignments r using replaced_assignments kept
     where kept.delegation_id = $1 and kept.contact_id = any($2::int[])
       and r.contact_id = kept.contact_id and r.id <= kept.id`,
    given,
  );
}

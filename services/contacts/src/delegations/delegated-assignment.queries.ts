import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import { withoutDelegation } from './without-delegation.ts';

interface Assigned {
  readonly contact_id: number;
  readonly previous_user_id: number | null;
}

/**
 * Records that a locked contact was assigned and, if that was done under a delegation, who the previous assignee was. The
 * record of another delegation is kept below it, because that delegation may end later.
 */
export async function noteAssignment(
  query: Query,
  assigned: Assigned,
  delegationId: number | null,
): Promise<void> {
  const { contact_id, previous_user_id } = assigned;
  if (delegationId === null) {
    // The records below are deleted with it.
    await query('delete from delegated_assignments where contact_id = $1', [contact_id]);
    return;
  }
  await query(
    `with replaced as (
       insert into replaced_assignments (contact_id, delegation_id, previous_user_id)
       select contact_id, delegation_id, previous_user_id from delegated_assignments
       where contact_id = $1 and delegation_id <> $2::int)
     insert into delegated_assignments as a (contact_id, delegation_id, previous_user_id) values ($1, $2, $3)
     on conflict (contact_id) do update set delegation_id = excluded.delegation_id, previous_user_id =
       case a.delegation_id when excluded.delegation_id then a.previous_user_id else excluded.previous_user_id end`,
    [contact_id, delegationId, previous_user_id],
  );
}

/** The owners, assignees and previous assignees of those contacts that may get their previous assignee back. */
export function involvedIn(query: Query, contactIds: readonly number[]): Promise<number[]> {
  return queryIds(
    query,
    `select distinct involved.id from (
       select contact_id, previous_user_id from replaced_assignments where contact_id = any($1::int[])
       union all
       select contact_id, previous_user_id from delegated_assignments where contact_id = any($1::int[])) notes
     join contacts c on c.id = notes.contact_id
     cross join lateral (values (c.owner_user_id), (c.assigned_user_id), (notes.previous_user_id)) involved (id)
     where notes.previous_user_id is not null and involved.id is not null`,
    [contactIds],
  );
}

const Note = z.object({
  contact_id: z.int(),
  delegation_id: z.int(),
  previous_user_id: z.int().nullable(),
});

/**
 * Removes the records of a delegation for locked contacts, to undo its assignments. Returns the previous assignees of those
 * contacts whose latest assignment was under this delegation.
 */
export async function takeAssignments(
  query: Query,
  delegationId: number,
  contactIds: readonly number[],
): Promise<Map<number, Assigned>> {
  const notes = await queryRows(
    query,
    Note,
    `select contact_id, delegation_id, previous_user_id from (
       select id, contact_id, delegation_id, previous_user_id from replaced_assignments
       where contact_id = any($1::int[])
       union all
       select null, contact_id, delegation_id, previous_user_id from delegated_assignments
       where contact_id = any($1::int[])) notes
     order by contact_id, id nulls last`,
    [contactIds],
  );
  const undone = [...Map.groupBy(notes, ({ contact_id }) => contact_id)]
    .filter(([, noted]) => noted.some(({ delegation_id }) => delegation_id === delegationId))
    .map(([id, noted]) => ({ id, ...withoutDelegation(noted, delegationId) }));
  await query('delete from delegated_assignments where contact_id = any($1::int[])', [
    undone.map(({ id }) => id),
  ]);
  for (const note of undone.flatMap(({ kept }) => kept))
    await noteAssignment(query, note, note.delegation_id);
  return new Map(undone.flatMap(({ id, last }) => (last ? [[id, last]] : [])));
}

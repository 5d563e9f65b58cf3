import { hasRows, type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { Origin } from '../on-behalf/origin.ts';
import { isNext } from './portion.queries.ts';

const Enrolling = z.object({
  user_id: z.int(),
  origin: Origin,
  has_ended: z.boolean(),
  is_next: z.boolean(),
  processed: z.int(),
  campaign_id: z.int(),
  contact_ids: z.array(z.int()),
});

/** An operation that adds contacts to a campaign, with its next contacts. */
export function findEnrolling(query: Query, operationId: number, size: number) {
  return queryFirst(
    query,
    Enrolling,
    `select user_id, origin, ended_at is not null as has_ended, (${isNext}) as is_next, processed,
       (parameters ->> 'campaign_id')::int as campaign_id,
       contact_ids[processed + 1:processed + $2::int] as contact_ids
     from bulk_operations b where id = $1::int and action = 'enrol'`,
    [operationId, size],
  );
}

/**
 * Whether the contacts after the first ones are not settled yet. This includes operations that were canceled in the meantime.
 */
export function lockUnsettled(query: Query, operationId: number, processed: number): Promise<boolean> {
  return hasRows(
    query,
    `select from bulk_operations where id = $1::int and action = 'enrol' and processed = $2::int for update`,
    [operationId, processed],
  );
}

const maybeAdded =
  'The system was restored to an earlier moment. The contact may have been added before, and messages of the campaign sent to it.';

/**
 * After a restoration: adds no more contacts, because it is not known to whom messages were sent. The operations end when the
 * service of campaigns asks for their next portions, and have an error for each contact that is left.
 */
export const withholdEnrolments = `
  with open as (
    select id, contact_ids[processed + 1:] as contact_ids from bulk_operations
    where action = 'enrol' and ended_at is null and processed < total for update
  ), noted as (
    insert into bulk_operation_errors (bulk_operation_id, id, message, errors, created_at)
    select open.id, contact_id, '${maybeAdded}', '{}', now() from open, unnest(contact_ids) contact_id
  )
  update bulk_operations b set version = version + 1, processed = total, failed = failed + total - processed, modified_at = now()
  from open where b.id = open.id returning b.id`;

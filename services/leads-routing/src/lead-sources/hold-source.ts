import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { LeadSource } from './lead-source.entity.ts';

/**
 * Locks the source that a record is about to name, so that it is not removed before. Throws BadRequest for a source that
 * the caller may not use; the error is the same if it does not exist.
 */
export async function holdSource(
  { em }: Context,
  field: 'source_id' | 'lead_source_id',
  id: number | null | undefined,
): Promise<void> {
  if (id == null || (await em.findOne(LeadSource, id, { lockMode: LockMode.PESSIMISTIC_READ }))) return;
  throw invalidField(field, 'must be a lead source that you may use');
}

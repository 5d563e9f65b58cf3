import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { LeadSource } from './lead-source.entity.ts';

/** The same error for a source that the caller may not use and one that does not exist. */
export const notUsable = 'must be a lead source that you may use';

/**
 * Locks a source that a record is about to refer to, so that it is not removed before. Throws BadRequest for a source
 * that the caller may not use.
 */
export async function holdSource(
  { em }: Context,
  field: 'source_id' | 'lead_source_id',
  id: number | null | undefined,
): Promise<void> {
  if (id == null || (await em.findOne(LeadSource, id, { lockMode: LockMode.PESSIMISTIC_READ }))) return;
  throw invalidField(field, notUsable);
}

/** Throws BadRequest for a source that the caller may not use, without locking it. */
export async function checkSource({ em }: Context, source_id: number | null | undefined): Promise<void> {
  if (source_id == null || (await em.count(LeadSource, source_id)) > 0) return;
  throw invalidField('source_id', notUsable);
}

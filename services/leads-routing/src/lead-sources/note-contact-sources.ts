import type { Query } from '@crm/data';
import { type ContactSourceFact, lockSourcesOf, storeFacts } from './known-contact-source.queries.ts';
import { addMissingSources, removeUnusedSources } from './lead-source.queries.ts';

/**
 * Updates the lead sources of a user from facts about contact sources: there is one for each name that a contact source
 * has. A lead source whose name no contact source has any longer is removed, unless a route or a lead refers to it.
 * Facts may be repeated and late: the version decides. Must run in a transaction.
 */
export async function noteContactSources(
  query: Query,
  userId: number,
  facts: readonly ContactSourceFact[],
): Promise<void> {
  await lockSourcesOf(query, userId);
  const names = await storeFacts(query, userId, facts);
  if (names.length === 0) return;
  await addMissingSources(query, userId, names);
  await removeUnusedSources(query, userId, names);
}

import { hasRows, type Query, queryFirst, queryRows, readModel } from '@crm/data';
import { z } from 'zod';
import { CampaignContactView } from './campaign-contact.api.ts';
import { visibleCampaignContacts } from './campaign-contact.policy.ts';

export const campaignContactRows = readModel(CampaignContactView, {
  table: 'campaign_contacts',
  visible: visibleCampaignContacts,
  nested: { campaign_id: 'campaign_contacts.campaign_id' },
  hidden: { campaign_id: { kind: 'integer', sql: 'campaign_contacts.campaign_id' } },
});

/**
 * Returns true if a contact is known to have been removed. Otherwise its removal is handled after this transaction
 * ends, and also removes what the transaction adds.
 */
export async function isContactRemoved(query: Query, contact: number): Promise<boolean> {
  await query("select pg_advisory_xact_lock_shared(hashtext('contact'), $1::int)", [contact]);
  return hasRows(query, 'select from gone_contacts where contact_id = $1', [contact]);
}

/** Records the removal of a contact. Waits for all transactions that are adding the contact to a campaign. */
export async function markContactRemoved(query: Query, contact: number): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('contact'), $1::int)", [contact]);
  await query('insert into gone_contacts (contact_id) values ($1) on conflict do nothing', [contact]);
}

/** The data that events need of rows that were removed in SQL, without their entities. */
const RemovedContact = z.object({
  id: z.int(),
  version: z.int(),
  campaign_id: z.int(),
  user_id: z.int(),
});

/** Removes a contact from all campaigns and returns the removed rows. Rows are locked in the order of their ids. */
export function removeContactEverywhere(query: Query, contact: number) {
  return queryRows(
    query,
    RemovedContact,
    `delete from campaign_contacts where id in (
       select id from campaign_contacts where contact_id = $1 order by id for update
     ) returning id, version, campaign_id, user_id`,
    [contact],
  );
}

/** Records the removal of a campaign; its contacts are removed later. The campaign must be locked. */
export async function markCampaignRemoved(query: Query, campaign: number): Promise<void> {
  await query('insert into removed_campaigns (campaign_id) values ($1::int)', [campaign]);
}

/** How many contacts are removed in one transaction. */
const portion = 2_000;

const RemovedCampaign = z.object({ campaign_id: z.int() });

/**
 * Removes some contacts of one removed campaign. Returns true if there may be more to remove at once. Locked contacts
 * are left for later, so that no transaction waits for another one that is waiting itself.
 */
export async function removeSomeContacts(query: Query): Promise<boolean> {
  const removed = await queryFirst(
    query,
    RemovedCampaign,
    'select campaign_id from removed_campaigns order by removed_at limit 1 for update skip locked',
    [],
  );
  if (!removed) return false;
  const ids = [removed.campaign_id];
  const contacts = await query(
    `delete from campaign_contacts where id = any(array(
       select id from campaign_contacts where campaign_id = $1::int limit ${portion} for update skip locked
     )) returning id`,
    ids,
  );
  if (contacts.length > 0) return true;
  return hasRows(
    query,
    `delete from removed_campaigns where campaign_id = $1::int
       and not exists (select from campaign_contacts where campaign_id = $1::int) returning campaign_id`,
    ids,
  );
}

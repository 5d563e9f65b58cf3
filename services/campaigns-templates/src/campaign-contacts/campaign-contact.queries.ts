import { type Query, readModel } from '@crm/data';
import { CampaignContactView } from './campaign-contact.api.ts';
import { visibleCampaignContacts } from './campaign-contact.policy.ts';

export const campaignContactRows = readModel(CampaignContactView, {
  table: 'campaign_contacts',
  visible: visibleCampaignContacts,
  nested: { campaign_id: 'campaign_contacts.campaign_id' },
  hidden: { campaign_id: { kind: 'integer', sql: 'campaign_contacts.campaign_id' } },
});

/**
 * Whether a contact is known to be gone. If it is not, its removal is heard of only after the transaction, and takes
 * what the transaction has added along.
 */
export async function isContactGone(query: Query, contact: number): Promise<boolean> {
  await query("select pg_advisory_xact_lock_shared(hashtext('contact'), $1::int)", [contact]);
  const [row] = await query('select exists (select from gone_contacts where contact_id = $1) as gone', [
    contact,
  ]);
  return row?.gone === true;
}

/** Notes that a contact is gone, after all who are just adding it somewhere. */
export async function noteContactGone(query: Query, contact: number): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('contact'), $1::int)", [contact]);
  await query('insert into gone_contacts (contact_id) values ($1) on conflict do nothing', [contact]);
}

/** What events tell of rows that were removed past their entities. */
interface Removed {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
  readonly user_id: number;
}

/** Takes a contact out of all campaigns, and tells of which. In the order of ids, like everyone who holds several. */
export async function removeContactEverywhere(query: Query, contact: number): Promise<Removed[]> {
  const rows = await query(
    `delete from campaign_contacts where id in (
       select id from campaign_contacts where contact_id = $1 order by id for update
     ) returning id, version, campaign_id, user_id`,
    [contact],
  );
  return rows.map(({ id, version, campaign_id, user_id }) => ({
    id: Number(id),
    version: Number(version),
    campaign_id: Number(campaign_id),
    user_id: Number(user_id),
  }));
}

/** Takes all contacts out of a campaign. The campaign must be held. */
export async function removeContactsOf(query: Query, campaign: number): Promise<void> {
  await query(
    `delete from campaign_contacts where id in (
       select id from campaign_contacts where campaign_id = $1 order by id for update
     )`,
    [campaign],
  );
}

import { type Query, type Row, readModel } from '@crm/data';
import { CampaignActionView } from './campaign-action.api.ts';

const template = `(select to_json(o) from (
  select t.id as template_id, t.description, t.subject from templates t where t.id = campaign_actions.template_id) o)`;

/**
 * Read only below a campaign that the actor was found to see; hence no rule of its own. Of its template whoever
 * sees the action sees what it is called.
 */
export const campaignActionRows = readModel(CampaignActionView, {
  table: 'campaign_actions',
  visible: () => ({}),
  special: { template_metadata_id: { sql: 'campaign_actions.template_id' } },
  nested: { template, template_metadata_id: 'campaign_actions.template_id' },
  hidden: { campaign_id: { kind: 'integer', sql: 'campaign_actions.campaign_id' } },
});

/** What events tell of actions that were written past their entities. */
interface Written {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
  readonly owner_user_id: number | null;
}

/** Takes templates out of all actions that use them. */
export async function forgetTemplates(query: Query, templates: readonly number[]): Promise<Written[]> {
  const rows = await query(
    `update campaign_actions a set template_id = null, version = a.version + 1
     from campaigns c where c.id = a.campaign_id and a.template_id = any($1::int[])
     returning a.id, a.version, a.campaign_id, c.owner_user_id`,
    [templates],
  );
  return rows.map(writtenOf);
}

/** Removes what a campaign does, and tells what that was. */
export async function removeActionsOf(query: Query, campaign: number): Promise<Written[]> {
  const rows = await query(
    `delete from campaign_actions a using campaigns c where c.id = a.campaign_id and a.campaign_id = $1
     returning a.id, a.version, a.campaign_id, c.owner_user_id`,
    [campaign],
  );
  return rows.map(writtenOf);
}

function writtenOf({ id, version, campaign_id, owner_user_id }: Row): Written {
  return {
    id: Number(id),
    version: Number(version),
    campaign_id: Number(campaign_id),
    owner_user_id: owner_user_id === null ? null : Number(owner_user_id),
  };
}

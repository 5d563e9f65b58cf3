import { type Query, queryRows, readModel, throughParent } from '@crm/data';
import { z } from 'zod';
import { CampaignActionView } from './campaign-action.api.ts';

const template = `(select to_json(o) from (
  select t.id as template_id, t.description, t.subject from templates t where t.id = campaign_actions.template_id) o)`;

/** Whoever sees an action sees the name of its template. */
export const campaignActionRows = readModel(CampaignActionView, {
  table: 'campaign_actions',
  visible: throughParent,
  special: { template_metadata_id: { sql: 'campaign_actions.template_id' } },
  nested: { template, template_metadata_id: 'campaign_actions.template_id' },
  hidden: { campaign_id: { kind: 'integer', sql: 'campaign_actions.campaign_id' } },
});

/** The data that events need of actions that were written in SQL, without their entities. */
const WrittenAction = z.object({
  id: z.int(),
  version: z.int(),
  campaign_id: z.int(),
  owner_user_id: z.int().nullable(),
});

/** Removes templates from all actions that use them, and returns these actions. */
export function unsetTemplates(query: Query, templates: readonly number[]) {
  return queryRows(
    query,
    WrittenAction,
    `update campaign_actions a set template_id = null, version = a.version + 1
     from campaigns c where c.id = a.campaign_id and a.template_id = any($1::int[])
     returning a.id, a.version, a.campaign_id, c.owner_user_id`,
    [templates],
  );
}

/** Removes the actions of a campaign, and returns them. */
export function removeActionsOf(query: Query, campaign: number) {
  return queryRows(
    query,
    WrittenAction,
    `delete from campaign_actions a using campaigns c where c.id = a.campaign_id and a.campaign_id = $1
     returning a.id, a.version, a.campaign_id, c.owner_user_id`,
    [campaign],
  );
}

import { isUser, type User } from '@crm/auth';
import { type Query, type Row, readModel } from '@crm/data';
import { all, Binds, sqlOfRule } from '@crm/query';
import { CampaignView } from './campaign.api.ts';
import { visibleCampaigns } from './campaign.policy.ts';

export const campaignRows = readModel(CampaignView, {
  table: 'campaigns',
  visible: visibleCampaigns,
  nested: {
    is_shared_by_broker: (viewer, binds) =>
      isUser(viewer) && viewer.broker
        ? `coalesce(campaigns.owner_user_id = ${binds.add(viewer.broker.id)}, false)`
        : 'false',
  },
  hidden: { owner_user_id: { kind: 'integer', sql: 'campaigns.owner_user_id' } },
});

/** Those of the ids that the user sees, with what decides on further rights. */
export function seenAmong(query: Query, user: User, ids: readonly number[]): Promise<readonly Row[]> {
  const binds = new Binds();
  const among = `campaigns.id = any(${binds.add(ids)}::int[])`;
  const sight = sqlOfRule(visibleCampaigns(user), campaignRows.columns, binds);
  return query(
    `select id, owner_user_id, is_default from campaigns where ${all(among, sight)} order by id`,
    binds.values,
  );
}

/** The names of all of the ids, whoever owns them: for the system only. */
export function namesOf(query: Query, ids: readonly number[]): Promise<readonly Row[]> {
  return query('select id, name from campaigns where id = any($1::int[]) order by id', [ids]);
}

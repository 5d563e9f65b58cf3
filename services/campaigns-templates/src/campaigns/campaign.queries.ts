import { isUser, type User } from '@crm/auth';
import { type Query, queryRows, readModel, sqlOfVisible } from '@crm/data';
import { all, Binds } from '@crm/query';
import { z } from 'zod';
import { CampaignView } from './campaign.api.ts';
import { visibleCampaigns } from './campaign.policy.ts';

export const campaignRows = readModel(CampaignView, {
  table: 'campaigns',
  visible: visibleCampaigns,
  nested: {
    // Always false, but not a constant, which PostgreSQL does not accept in "order by".
    is_shared_by_broker: (viewer, binds) =>
      isUser(viewer) && viewer.broker
        ? `coalesce(campaigns.owner_user_id = ${binds.add(viewer.broker.id)}, false)`
        : '(campaigns.id is null)',
  },
  hidden: { owner_user_id: { kind: 'integer', sql: 'campaigns.owner_user_id' } },
});

const SeenCampaign = z.object({
  id: z.int(),
  owner_user_id: z.int().nullable(),
});

/** Those of the campaigns that the user sees, with their owners, who may change them. */
export function seenAmong(query: Query, user: User, ids: readonly number[]) {
  const binds = new Binds();
  const among = `campaigns.id = any(${binds.add(ids)}::int[])`;
  const isVisible = sqlOfVisible(campaignRows, user, binds);
  return queryRows(
    query,
    SeenCampaign,
    `select id, owner_user_id from campaigns where ${all(among, isVisible)} order by id`,
    binds.values,
  );
}

const SharedCampaign = SeenCampaign.extend({ is_default: z.boolean(), is_broker_sharing_on: z.boolean() });

/** The facts that decide who may use campaigns, whoever owns them. For the system only. */
export function sharingOf(query: Query, ids: readonly number[]) {
  return queryRows(
    query,
    SharedCampaign,
    'select id, owner_user_id, is_default, is_broker_sharing_on from campaigns where id = any($1::int[]) order by id',
    [ids],
  );
}

const NamedCampaign = z.object({ id: z.int(), name: z.string() });

/** The names of these campaigns, whoever owns them. For the system only. */
export function namesOf(query: Query, ids: readonly number[]) {
  return queryRows(
    query,
    NamedCampaign,
    'select id, name from campaigns where id = any($1::int[]) order by id',
    [ids],
  );
}

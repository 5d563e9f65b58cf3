import { noRecord } from '@crm/contract';
import { sqlOfVisible } from '@crm/data';
import { Binds } from '@crm/query';
import type { Context } from '@crm/service';
import { campaignRows } from '../campaigns/campaign.queries.ts';

/**
 * Throws NotFound for a campaign that the caller neither sees nor has added contacts to. Such contacts stay scheduled
 * when the campaign is no longer shared, so the user who added them must still be able to remove them.
 */
export const demandUsedCampaign = (ctx: Context, id: number): Promise<void> => demandUsed(ctx, id, '');

/** The same, and prevents the campaign from being changed or removed until the transaction ends. */
export const holdUsedCampaign = (ctx: Context, id: number): Promise<void> => demandUsed(ctx, id, 'for share');

async function demandUsed({ query, user }: Context, id: number, lock: 'for share' | ''): Promise<void> {
  const binds = new Binds();
  const visible = sqlOfVisible(campaignRows, user, binds);
  const isUsed = `exists (select from campaign_contacts c
    where c.campaign_id = campaigns.id and c.user_id = ${binds.add(user.id)}::int)`;
  const text = `select from campaigns where id = ${binds.add(id)}::int and (${visible} or ${isUsed}) ${lock}`;
  const rows = await query(text, binds.values);
  if (rows.length === 0) throw noRecord(id);
}

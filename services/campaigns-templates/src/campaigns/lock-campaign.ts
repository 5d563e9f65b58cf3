import { noRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Campaign } from './campaign.entity.ts';

/** Returns a campaign that the caller sees, and prevents changes and its removal until the transaction ends. Throws NotFound. */
export async function lockCampaign(
  { em }: Pick<Context, 'em'>,
  id: number,
  lockMode: LockMode.PESSIMISTIC_READ | LockMode.PESSIMISTIC_WRITE = LockMode.PESSIMISTIC_READ,
): Promise<Campaign> {
  const campaign = await em.findOne(Campaign, id, { lockMode });
  if (!campaign) throw noRecord(id);
  return campaign;
}

import { noRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Campaign } from './campaign.entity.ts';

/** A campaign that the caller sees, kept from being removed or changed until the transaction ends. Throws NotFound. */
export async function holdCampaign({ em }: Pick<Context, 'em'>, id: number): Promise<Campaign> {
  const campaign = await em.findOne(Campaign, id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!campaign) throw noRecord(id);
  return campaign;
}

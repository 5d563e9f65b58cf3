import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { Campaign } from './campaigns/campaign.entity.ts';
import { Campaigns } from './migrations/0001-campaigns.ts';

export const campaignsTemplatesStore: Store = {
  schema: 'campaigns_templates',
  entities: [Campaign, OutboxMessage],
  migrations: [{ name: '0001-campaigns', class: Campaigns }],
};

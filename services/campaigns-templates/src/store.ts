import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { CampaignAction } from './campaign-actions/campaign-action.entity.ts';
import { Campaign } from './campaigns/campaign.entity.ts';
import { Campaigns } from './migrations/0001-campaigns.ts';
import { TemplatesAndActions } from './migrations/0002-templates-and-actions.ts';
import { TemplateFolder } from './template-folders/template-folder.entity.ts';
import { Template } from './templates/template.entity.ts';

export const campaignsTemplatesStore: Store = {
  schema: 'campaigns_templates',
  entities: [Campaign, CampaignAction, OutboxMessage, Template, TemplateFolder],
  migrations: [
    { name: '0001-campaigns', class: Campaigns },
    { name: '0002-templates-and-actions', class: TemplatesAndActions },
  ],
};

import type { Store } from '@crm/data';
import { CampaignAction } from './campaign-actions/campaign-action.entity.ts';
import { CampaignContact } from './campaign-contacts/campaign-contact.entity.ts';
import { Campaign } from './campaigns/campaign.entity.ts';
import { consistency } from './consistency.queries.ts';
import { TemplateFolder } from './template-folders/template-folder.entity.ts';
import { Template } from './templates/template.entity.ts';

export const campaignsTemplatesStore: Store = {
  schema: 'campaigns_templates',
  entities: [Campaign, CampaignAction, CampaignContact, Template, TemplateFolder],
  migrations: [
    { name: '0001-campaigns', load: () => import('./migrations/0001-campaigns.ts') },
    { name: '0002-templates-and-actions', load: () => import('./migrations/0002-templates-and-actions.ts') },
    { name: '0003-campaign-contacts', load: () => import('./migrations/0003-campaign-contacts.ts') },
    { name: '0004-template-texts', load: () => import('./migrations/0004-template-texts.ts') },
    { name: '0005-deliveries', load: () => import('./migrations/0005-deliveries.ts') },
    { name: '0006-audit-events', load: () => import('./migrations/0006-audit-events.ts') },
    { name: '0050-dead-letters', load: () => import('./migrations/0050-dead-letters.ts') },
    { name: '0066-waking-inserts', load: () => import('./migrations/0066-waking-inserts.ts') },
    { name: '0110-causes', load: () => import('./migrations/0110-causes.ts') },
    { name: '0120-bulk-enrolments', load: () => import('./migrations/0120-bulk-enrolments.ts') },
    { name: '0130-sparing-notifications', load: () => import('./migrations/0130-sparing-notifications.ts') },
    { name: '0150-partitions', load: () => import('./migrations/0150-partitions.ts') },
    { name: '0170-lost-events', load: () => import('./migrations/0170-lost-events.ts') },
    { name: '0250-publish-again', load: () => import('./migrations/0250-publish-again.ts') },
  ],
  consistency,
};

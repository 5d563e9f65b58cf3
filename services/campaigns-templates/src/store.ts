import type { Store } from '@crm/data';
import { CampaignAction } from './campaign-actions/campaign-action.entity.ts';
import { CampaignContact } from './campaign-contacts/campaign-contact.entity.ts';
import { Campaign } from './campaigns/campaign.entity.ts';
import { consistency } from './consistency.queries.ts';
import { Campaigns } from './migrations/0001-campaigns.ts';
import { TemplatesAndActions } from './migrations/0002-templates-and-actions.ts';
import { CampaignContacts } from './migrations/0003-campaign-contacts.ts';
import { TemplateTexts } from './migrations/0004-template-texts.ts';
import { Deliveries } from './migrations/0005-deliveries.ts';
import { AuditEvents } from './migrations/0006-audit-events.ts';
import { DeadLetters } from './migrations/0050-dead-letters.ts';
import { WakingInserts } from './migrations/0066-waking-inserts.ts';
import { Causes } from './migrations/0110-causes.ts';
import { BulkEnrolments } from './migrations/0120-bulk-enrolments.ts';
import { SparingNotifications } from './migrations/0130-sparing-notifications.ts';
import { Partitions } from './migrations/0150-partitions.ts';
import { LostEvents } from './migrations/0170-lost-events.ts';
import { TemplateFolder } from './template-folders/template-folder.entity.ts';
import { Template } from './templates/template.entity.ts';

export const campaignsTemplatesStore: Store = {
  schema: 'campaigns_templates',
  entities: [Campaign, CampaignAction, CampaignContact, Template, TemplateFolder],
  migrations: [
    { name: '0001-campaigns', class: Campaigns },
    { name: '0002-templates-and-actions', class: TemplatesAndActions },
    { name: '0003-campaign-contacts', class: CampaignContacts },
    { name: '0004-template-texts', class: TemplateTexts },
    { name: '0005-deliveries', class: Deliveries },
    { name: '0006-audit-events', class: AuditEvents },
    { name: '0050-dead-letters', class: DeadLetters },
    { name: '0066-waking-inserts', class: WakingInserts },
    { name: '0110-causes', class: Causes },
    { name: '0120-bulk-enrolments', class: BulkEnrolments },
    { name: '0130-sparing-notifications', class: SparingNotifications },
    { name: '0150-partitions', class: Partitions },
    { name: '0170-lost-events', class: LostEvents },
  ],
  consistency,
};

import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { campaignsTemplatesApi } from './api.ts';
import { campaignActionHandlers } from './campaign-actions/campaign-action.handlers.ts';
import { campaignContactHandlers } from './campaign-contacts/campaign-contact.handlers.ts';
import { campaignPreviewHandlers } from './campaign-contacts/campaign-preview.handlers.ts';
import { enrolWaitingWorker } from './campaign-contacts/enrol-waiting.ts';
import { campaignHandlers } from './campaigns/campaign.handlers.ts';
import { campaignAccessHandlers } from './campaigns/campaign-access.handlers.ts';
import { campaignsTemplatesStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { templateFolderHandlers } from './template-folders/template-folder.handlers.ts';
import { templateHandlers } from './templates/template.handlers.ts';
import { templateRenderingHandlers } from './templates/template-rendering.handlers.ts';

/** The service that keeps campaigns and what they send. */
export const campaignsTemplatesService: ServiceDefinition = {
  name: 'campaigns-templates',
  contract: campaignsTemplatesApi,
  procedures: proceduresOf(campaignsTemplatesApi, {
    campaigns: { ...campaignHandlers, ...campaignAccessHandlers, ...campaignPreviewHandlers },
    campaignActions: campaignActionHandlers,
    campaignContacts: campaignContactHandlers,
    templateFolders: templateFolderHandlers,
    templates: { ...templateHandlers, ...templateRenderingHandlers },
  }),
  store: campaignsTemplatesStore,
  needs: ['contacts', 'scheduling'],
  subscriptions,
  workers: [enrolWaitingWorker],
};

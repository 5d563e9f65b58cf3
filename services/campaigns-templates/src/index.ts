import { operatorHandlers, proceduresOf, type ServiceDefinition } from '@crm/service';
import { campaignsTemplatesApi } from './api.ts';
import { bulkEnrolmentsWorker } from './bulk-enrolments/carry-out.ts';
import { campaignActionHandlers } from './campaign-actions/campaign-action.handlers.ts';
import { campaignContactHandlers } from './campaign-contacts/campaign-contact.handlers.ts';
import { campaignPreviewHandlers } from './campaign-contacts/campaign-preview.handlers.ts';
import { enrolWaitingWorker } from './campaign-contacts/enrol-waiting.ts';
import { removedCampaignsWorker } from './campaign-contacts/remove-contacts-of-removed-campaigns.ts';
import { templateTextsWorker } from './campaign-contacts/remove-unused-texts.ts';
import { campaignHandlers } from './campaigns/campaign.handlers.ts';
import { campaignAccessHandlers } from './campaigns/campaign-access.handlers.ts';
import { campaignRemovalHandlers } from './removals/campaign-removal.handlers.ts';
import { templateFolderRemovalHandlers } from './removals/template-folder-removal.handlers.ts';
import { templateRemovalHandlers } from './removals/template-removal.handlers.ts';
import { campaignsTemplatesStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { templateFolderHandlers } from './template-folders/template-folder.handlers.ts';
import { templateHandlers } from './templates/template.handlers.ts';
import { templateFolderSharingHandlers } from './templates/template-folder-sharing.handlers.ts';
import { templateRenderingHandlers } from './templates/template-rendering.handlers.ts';

const service = { name: 'campaigns-templates', store: campaignsTemplatesStore, subscriptions };

/** The service that stores campaigns and their templates. */
export const campaignsTemplatesService: ServiceDefinition = {
  ...service,
  procedures: proceduresOf(campaignsTemplatesApi, {
    ...operatorHandlers(service),
    campaigns: {
      ...campaignHandlers,
      ...campaignRemovalHandlers,
      ...campaignAccessHandlers,
      ...campaignPreviewHandlers,
    },
    campaignActions: campaignActionHandlers,
    campaignContacts: campaignContactHandlers,
    templateFolders: {
      ...templateFolderHandlers,
      ...templateFolderRemovalHandlers,
      ...templateFolderSharingHandlers,
    },
    templates: { ...templateHandlers, ...templateRemovalHandlers, ...templateRenderingHandlers },
  }),
  needs: ['contacts', 'scheduling'],
  workers: [bulkEnrolmentsWorker, enrolWaitingWorker, removedCampaignsWorker, templateTextsWorker],
};

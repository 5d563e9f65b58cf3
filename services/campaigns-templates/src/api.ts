import { auditEventApi, causeApi, deadLetterApi, eventStream, type RouterOf } from '@crm/contract';
import { CloudEvent, campaignsTemplatesEvents } from '@crm/events';
import { campaignActionApi } from './campaign-actions/campaign-action.api.ts';
import { campaignContactApi } from './campaign-contacts/campaign-contact.api.ts';
import { campaignPreviewApi } from './campaign-contacts/campaign-preview.api.ts';
import { campaignApi, campaignRemovalApi } from './campaigns/campaign.api.ts';
import { campaignAccessApi } from './campaigns/campaign-access.api.ts';
import {
  templateFolderApi,
  templateFolderRemovalApi,
  templateFolderSharingApi,
} from './template-folders/template-folder.api.ts';
import { templateApi, templateRemovalApi, templateRenderingApi } from './templates/template.api.ts';

/** The operations of this service. */
export const campaignsTemplatesApi = {
  auditEvents: auditEventApi,
  causes: causeApi,
  campaigns: { ...campaignApi, ...campaignRemovalApi, ...campaignAccessApi, ...campaignPreviewApi },
  campaignActions: campaignActionApi,
  campaignContacts: campaignContactApi,
  deadLetters: deadLetterApi,
  events: eventStream(CloudEvent, campaignsTemplatesEvents),
  templateFolders: { ...templateFolderApi, ...templateFolderRemovalApi, ...templateFolderSharingApi },
  templates: { ...templateApi, ...templateRemovalApi, ...templateRenderingApi },
};

/** For a client of tRPC: `createTRPCClient<CampaignsTemplatesRouter>`. */
export type CampaignsTemplatesRouter = RouterOf<typeof campaignsTemplatesApi>;

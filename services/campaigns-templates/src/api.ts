import { campaignActionApi } from './campaign-actions/campaign-action.api.ts';
import { campaignContactApi } from './campaign-contacts/campaign-contact.api.ts';
import { campaignPreviewApi } from './campaign-contacts/campaign-preview.api.ts';
import { campaignApi } from './campaigns/campaign.api.ts';
import { campaignAccessApi } from './campaigns/campaign-access.api.ts';
import { templateFolderApi } from './template-folders/template-folder.api.ts';
import { templateApi, templateRenderingApi } from './templates/template.api.ts';

/** All that campaigns and templates may be asked. */
export const campaignsTemplatesApi = {
  campaigns: { ...campaignApi, ...campaignAccessApi, ...campaignPreviewApi },
  campaignActions: campaignActionApi,
  campaignContacts: campaignContactApi,
  templateFolders: templateFolderApi,
  templates: { ...templateApi, ...templateRenderingApi },
};

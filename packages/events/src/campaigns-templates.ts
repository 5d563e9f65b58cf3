import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'campaigns-templates'>();

export { events as campaignsTemplatesEvents };

const campaign = z.object({ campaign_id: z.int(), owner_user_id: z.int().nullable() });
export const campaignCreated = defineEvent(
  'campaigns-templates.campaign.created',
  'A campaign was added',
  campaign,
);
export const campaignChanged = defineEvent(
  'campaigns-templates.campaign.changed',
  'A campaign was renamed, or shared with sub-accounts or no longer',
  campaign,
);
export const campaignRemoved = defineEvent(
  'campaigns-templates.campaign.removed',
  'A campaign is gone',
  campaign,
);

const action = z.object({
  campaign_action_id: z.int(),
  campaign_id: z.int(),
  owner_user_id: z.int().nullable(),
});
export const campaignActionCreated = defineEvent(
  'campaigns-templates.campaign-action.created',
  'An action was added to a campaign',
  action,
);
export const campaignActionChanged = defineEvent(
  'campaigns-templates.campaign-action.changed',
  'An action was changed, or lost its template because that is gone',
  action,
);
export const campaignActionRemoved = defineEvent(
  'campaigns-templates.campaign-action.removed',
  'An action is gone, by itself or with its campaign',
  action,
);

const campaignContact = z.object({
  campaign_contact_id: z.int(),
  campaign_id: z.int(),
  user_id: z.int(),
});
export const campaignContactCreated = defineEvent(
  'campaigns-templates.campaign-contact.created',
  'A contact was put into a campaign',
  campaignContact,
);
export const campaignContactRemoved = defineEvent(
  'campaigns-templates.campaign-contact.removed',
  'A contact was taken out of a campaign, or is gone; what it had still to get is stopped',
  campaignContact,
);

const template = z.object({ template_id: z.int(), user_id: z.int() });
export const templateCreated = defineEvent(
  'campaigns-templates.template.created',
  'A template was added, or came into being as a copy',
  template,
);
export const templateChanged = defineEvent(
  'campaigns-templates.template.changed',
  'A template was changed',
  template,
);
export const templateRemoved = defineEvent(
  'campaigns-templates.template.removed',
  'A template is gone, by itself or with its folder; actions that used it use none',
  template,
);

const templateFolder = z.object({
  template_folder_id: z.int(),
  user_id: z.int(),
  original_template_folder_id: z.int().nullable(),
});
export const templateFolderCreated = defineEvent(
  'campaigns-templates.template-folder.created',
  'A template folder was added, or came into being as a copy of another user’s',
  templateFolder,
);
export const templateFolderChanged = defineEvent(
  'campaigns-templates.template-folder.changed',
  'A template folder was changed',
  templateFolder,
);
export const templateFolderRemoved = defineEvent(
  'campaigns-templates.template-folder.removed',
  'A template folder is gone with all its templates',
  templateFolder,
);

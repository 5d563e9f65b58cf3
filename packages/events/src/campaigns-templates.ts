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
  'A campaign was renamed, or its sharing with sub-accounts was started or stopped',
  campaign,
);
export const campaignRemoved = defineEvent(
  'campaigns-templates.campaign.removed',
  'A campaign was removed',
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
  'An action was changed, or lost its template because the template was removed',
  action,
);
export const campaignActionRemoved = defineEvent(
  'campaigns-templates.campaign-action.removed',
  'An action was removed, alone or with its campaign',
  action,
);

const campaignContact = z.object({
  campaign_contact_id: z.int(),
  campaign_id: z.int(),
  user_id: z.int(),
});
export const campaignContactCreated = defineEvent(
  'campaigns-templates.campaign-contact.created',
  'A contact was added to a campaign',
  campaignContact,
);
export const campaignContactRemoved = defineEvent(
  'campaigns-templates.campaign-contact.removed',
  'A contact was taken out of a campaign or removed; its unsent messages are stopped',
  campaignContact,
);

const template = z.object({ template_id: z.int(), user_id: z.int() });
export const templateCreated = defineEvent(
  'campaigns-templates.template.created',
  'A template was added or copied',
  template,
);
export const templateChanged = defineEvent(
  'campaigns-templates.template.changed',
  'A template was changed',
  template,
);
export const templateRemoved = defineEvent(
  'campaigns-templates.template.removed',
  'A template was removed, alone or with its folder, also from the actions that used it',
  template,
);

const templateFolder = z.object({
  template_folder_id: z.int(),
  user_id: z.int(),
  original_template_folder_id: z.int().nullable(),
});
export const templateFolderCreated = defineEvent(
  'campaigns-templates.template-folder.created',
  'A template folder was added, or copied from another user',
  templateFolder,
);
export const templateFolderChanged = defineEvent(
  'campaigns-templates.template-folder.changed',
  'A template folder was changed',
  templateFolder,
);
export const templateFolderRemoved = defineEvent(
  'campaigns-templates.template-folder.removed',
  'A template folder was removed with all its templates',
  templateFolder,
);

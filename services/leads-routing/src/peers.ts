import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsApi } from '@crm/contacts/api';
import { identityApi } from '@crm/identity/api';
import { schedulingApi } from '@crm/scheduling/api';
import { peer } from '@crm/service';

export const identity = peer('identity', identityApi);
export const contacts = peer('contacts', contactsApi);
export const campaignsTemplates = peer('campaigns-templates', campaignsTemplatesApi);
export const scheduling = peer('scheduling', schedulingApi);

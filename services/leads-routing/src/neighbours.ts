import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsApi } from '@crm/contacts/api';
import { identityApi } from '@crm/identity/api';
import { schedulingApi } from '@crm/scheduling/api';
import { neighbour } from '@crm/service';

export const identity = neighbour('identity', identityApi);
export const contacts = neighbour('contacts', contactsApi);
export const campaignsTemplates = neighbour('campaigns-templates', campaignsTemplatesApi);
export const scheduling = neighbour('scheduling', schedulingApi);

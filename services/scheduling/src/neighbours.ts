import { contactsApi } from '@crm/contacts/api';
import { identityApi } from '@crm/identity/api';
import { neighbour } from '@crm/service';

export const identity = neighbour('identity', identityApi);
export const contacts = neighbour('contacts', contactsApi);

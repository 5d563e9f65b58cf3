import { contactsApi } from '@crm/contacts/api';
import { neighbour } from '@crm/service';

export const contacts = neighbour('contacts', contactsApi);

import { formatOf } from '@crm/contacts-csv';
import { contactsApi } from './api.ts';

/** The format of the files that are imported and exported. */
export const contactsFormat = formatOf(contactsApi);

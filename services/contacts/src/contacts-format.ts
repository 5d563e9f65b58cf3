import { formatOf } from '@crm/contacts-csv';
import { contactsApi, maxAddresses } from './api.ts';

/** The format of the files that are imported and exported. */
export const contactsFormat = formatOf(contactsApi, maxAddresses);

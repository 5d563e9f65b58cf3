import { contactsApi, maxAddresses } from '@crm/contacts/api';
import { formatOf } from '@crm/contacts-csv';

/** The format of the files that the commands read and write. */
export const contactsFormat = formatOf(contactsApi, maxAddresses);

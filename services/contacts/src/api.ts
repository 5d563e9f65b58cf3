import { addressApi } from './addresses/address.api.ts';
import { contactSourceApi } from './contact-sources/contact-source.api.ts';
import { contactApi } from './contacts/contact.api.ts';
import { hotnessApi } from './hotnesses/hotness.api.ts';

/** All that contacts may be asked. */
export const contactsApi = {
  addresses: addressApi,
  contactSources: contactSourceApi,
  contacts: contactApi,
  hotnesses: hotnessApi,
};

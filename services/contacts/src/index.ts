import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { addressHandlers } from './addresses/address.handlers.ts';
import { contactsApi } from './api.ts';
import { contactSourceHandlers } from './contact-sources/contact-source.handlers.ts';
import { contactHandlers } from './contacts/contact.handlers.ts';
import { hotnessHandlers } from './hotnesses/hotness.handlers.ts';
import { contactsStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';

/** The service that keeps contacts and what describes them. */
export const contactsService: ServiceDefinition = {
  name: 'contacts',
  contract: contactsApi,
  procedures: proceduresOf(contactsApi, {
    addresses: addressHandlers,
    contactSources: contactSourceHandlers,
    contacts: contactHandlers,
    hotnesses: hotnessHandlers,
  }),
  store: contactsStore,
  subscriptions,
  workers: [],
};

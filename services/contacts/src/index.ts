import { operatorHandlers, proceduresOf, type ServiceDefinition } from '@crm/service';
import { addressHandlers } from './addresses/address.handlers.ts';
import { contactsApi } from './api.ts';
import {
  bulkOperationErrorHandlers,
  bulkOperationHandlers,
} from './bulk-operations/bulk-operation.handlers.ts';
import { bulkOperationsWorker } from './bulk-operations/carry-out.ts';
import { enrolmentPortionHandlers } from './bulk-operations/enrolment-portion.handlers.ts';
import { consentHandlers } from './consents/consent.handlers.ts';
import { contactHistoryHandlers } from './contact-history/contact-history.handlers.ts';
import { contactSourceHandlers } from './contact-sources/contact-source.handlers.ts';
import { removedReferencesWorker } from './contacts/clear-removed-references.ts';
import { contactHandlers } from './contacts/contact.handlers.ts';
import { contactAccessHandlers } from './contacts/contact-access.handlers.ts';
import { contactTotalsWorker } from './contacts/contact-totals-worker.ts';
import { keptMessagesWorker } from './contacts/kept-messages-worker.ts';
import { customFieldHandlers } from './custom-fields/custom-field.handlers.ts';
import { eventPropertyHandlers } from './event-properties/event-property.handlers.ts';
import { eventHandlers } from './events/event.handlers.ts';
import { eventPartitions } from './events/event-partitions.ts';
import { exportHandlers } from './exports/export.handlers.ts';
import { forgetters } from './forgetters.ts';
import { hotnessHandlers } from './hotnesses/hotness.handlers.ts';
import { importPageHandlers } from './import-pages/import-page.handlers.ts';
import { importedRowHandlers } from './imported-rows/imported-row.handlers.ts';
import { forgottenImportsWorker } from './imports/forget-imports.ts';
import { importHandlers } from './imports/import.handlers.ts';
import { importsWorker } from './imports/run-imports.ts';
import { optOutHandlers } from './opt-outs/opt-out.handlers.ts';
import { shareHandlers } from './shares/share.handlers.ts';
import { endedDelegationsWorker } from './shares/undo-delegations.ts';
import { staticListHandlers } from './static-lists/static-list.handlers.ts';
import { staticListContactHandlers } from './static-lists/static-list-contact.handlers.ts';
import { contactsStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { tagHandlers } from './tags/tag.handlers.ts';

const service = { name: 'contacts', store: contactsStore, subscriptions };

const procedures = proceduresOf(contactsApi, {
  ...operatorHandlers(service),
  contactHistory: contactHistoryHandlers,
  addresses: addressHandlers,
  bulkOperationErrors: bulkOperationErrorHandlers,
  bulkOperations: { ...bulkOperationHandlers, ...enrolmentPortionHandlers },
  consents: consentHandlers,
  contactSources: contactSourceHandlers,
  contacts: { ...contactHandlers, ...contactAccessHandlers },
  customFields: customFieldHandlers,
  eventProperties: eventPropertyHandlers,
  events: eventHandlers,
  exports: exportHandlers,
  hotnesses: hotnessHandlers,
  importedRows: importedRowHandlers,
  importPages: importPageHandlers,
  imports: importHandlers,
  optOuts: optOutHandlers,
  shares: shareHandlers,
  staticListContacts: staticListContactHandlers,
  staticLists: staticListHandlers,
  tags: tagHandlers,
});

/** The service that stores contacts and what describes them. */
export const contactsService: ServiceDefinition = {
  ...service,
  procedures,
  history: eventPartitions,
  needs: ['identity'],
  workers: [
    removedReferencesWorker,
    bulkOperationsWorker,
    importsWorker(procedures),
    forgottenImportsWorker,
    keptMessagesWorker,
    endedDelegationsWorker,
    contactTotalsWorker,
    ...forgetters,
  ],
};

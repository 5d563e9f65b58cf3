import { auditEventApi, causeApi, deadLetterApi, eventStream, type RouterOf } from '@crm/contract';
import { CloudEvent, contactsEvents } from '@crm/events';
import { addressApi } from './addresses/address.api.ts';
import { assignmentApi } from './assignments/assignment.api.ts';
import { bulkOperationApi, bulkOperationErrorApi } from './bulk-operations/bulk-operation.api.ts';
import { enrolmentPortionApi } from './bulk-operations/enrolment-portion.api.ts';
import { consentApi } from './consents/consent.api.ts';
import { contactHistoryApi } from './contact-history/contact-history.api.ts';
import { contactSourceApi } from './contact-sources/contact-source.api.ts';
import { contactApi } from './contacts/contact.api.ts';
import { contactAccessApi } from './contacts/contact-access.api.ts';
import { customFieldApi } from './custom-fields/custom-field.api.ts';
import { eventPropertyApi } from './event-properties/event-property.api.ts';
import { eventApi } from './events/event.api.ts';
import { exportApi } from './exports/export.api.ts';
import { hotnessApi } from './hotnesses/hotness.api.ts';
import { importPageApi } from './import-pages/import-page.api.ts';
import { importedRowApi } from './imported-rows/imported-row.api.ts';
import { importApi } from './imports/import.api.ts';
import { optOutApi } from './opt-outs/opt-out.api.ts';
import { shareApi } from './shares/share.api.ts';
import { staticListApi } from './static-lists/static-list.api.ts';
import { staticListContactApi } from './static-lists/static-list-contact.api.ts';
import { tagApi } from './tags/tag.api.ts';

export { maxAddresses } from './contacts/address-view.api.ts';

/** The operations of contacts. */
export const contactsApi = {
  addresses: addressApi,
  assignments: assignmentApi,
  auditEvents: auditEventApi,
  causes: causeApi,
  contactHistory: contactHistoryApi,
  bulkOperationErrors: bulkOperationErrorApi,
  bulkOperations: { ...bulkOperationApi, ...enrolmentPortionApi },
  consents: consentApi,
  contactSources: contactSourceApi,
  contacts: { ...contactApi, ...contactAccessApi },
  customFields: customFieldApi,
  deadLetters: deadLetterApi,
  eventProperties: eventPropertyApi,
  events: { ...eventApi, ...eventStream(CloudEvent, contactsEvents) },
  exports: exportApi,
  hotnesses: hotnessApi,
  importedRows: importedRowApi,
  importPages: importPageApi,
  imports: importApi,
  optOuts: optOutApi,
  shares: shareApi,
  staticListContacts: staticListContactApi,
  staticLists: staticListApi,
  tags: tagApi,
};

/** For a client of tRPC: `createTRPCClient<ContactsRouter>`. */
export type ContactsRouter = RouterOf<typeof contactsApi>;

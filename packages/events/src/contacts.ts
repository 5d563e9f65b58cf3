import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'contacts'>();

export { events as contactsEvents };

const contact = z.object({
  contact_id: z.int(),
  owner_user_id: z.int(),
  assigned_user_id: z.int().nullable(),
});

export const contactCreated = defineEvent('contacts.contact.created', 'A contact was added', contact);

export const contactChanged = defineEvent(
  'contacts.contact.changed',
  'A contact, its addresses or the users it is shared with were changed',
  contact.extend({ fields: z.array(z.string()) }),
);

export const contactRemoved = defineEvent(
  'contacts.contact.removed',
  'A contact was removed with everything that belonged to it',
  contact,
);

const hotness = z.object({ hotness_id: z.int(), user_id: z.int() });
export const hotnessCreated = defineEvent('contacts.hotness.created', 'A hotness was added', hotness);
export const hotnessChanged = defineEvent('contacts.hotness.changed', 'A hotness was changed', hotness);
export const hotnessRemoved = defineEvent(
  'contacts.hotness.removed',
  'A hotness was removed, and cleared from the contacts that had it',
  hotness,
);

const contactSource = z.object({ contact_source_id: z.int(), user_id: z.int(), name: z.string() });
export const contactSourceCreated = defineEvent(
  'contacts.contact-source.created',
  'A contact source was added',
  contactSource,
);
export const contactSourceChanged = defineEvent(
  'contacts.contact-source.changed',
  'A contact source was renamed',
  contactSource,
);
export const contactSourceRemoved = defineEvent(
  'contacts.contact-source.removed',
  'A contact source was removed, and cleared from the contacts that had it',
  contactSource,
);
export const defaultSourcesCreated = defineEvent(
  'contacts.default-sources.created',
  'The default contact sources of an account were added, in the order of the list',
  z.object({ user_id: z.int(), sources: z.array(contactSource.omit({ user_id: true })) }),
);

const tag = z.object({ tag_id: z.int(), user_id: z.int() });
export const tagCreated = defineEvent('contacts.tag.created', 'A tag was added', tag);
export const tagChanged = defineEvent(
  'contacts.tag.changed',
  'A tag was renamed; no event is published for the contacts that have it',
  tag,
);
export const tagRemoved = defineEvent(
  'contacts.tag.removed',
  'A tag was removed, also from all its contacts; no event is published for them',
  tag,
);

const customField = z.object({ custom_field_id: z.int(), user_id: z.int() });
export const customFieldCreated = defineEvent(
  'contacts.custom-field.created',
  'A custom field was added',
  customField,
);
export const customFieldChanged = defineEvent(
  'contacts.custom-field.changed',
  'A custom field was changed',
  customField,
);
export const customFieldRemoved = defineEvent(
  'contacts.custom-field.removed',
  'A custom field was removed with all its values',
  customField,
);

const staticList = z.object({ static_list_id: z.int(), owner_user_id: z.int() });
export const staticListCreated = defineEvent(
  'contacts.static-list.created',
  'A static list was added',
  staticList,
);
export const staticListExtended = defineEvent(
  'contacts.static-list.extended',
  'Contacts were added to a static list',
  staticList.extend({ contact_ids: z.array(z.int()) }),
);
export const staticListReduced = defineEvent(
  'contacts.static-list.reduced',
  'Contacts were taken off a static list; the contacts themselves remain',
  staticList.extend({ contact_ids: z.array(z.int()) }),
);
export const staticListRemoved = defineEvent(
  'contacts.static-list.removed',
  'A static list was removed; its contacts remain',
  staticList,
);

const activity = z.object({ event_id: z.int(), contact_id: z.int(), user_id: z.int() });
export const activityRecorded = defineEvent(
  'contacts.activity.recorded',
  'A contact event (an activity of a contact) was recorded',
  activity,
);
export const activityChanged = defineEvent(
  'contacts.activity.changed',
  'The description of a contact event or one of its properties was added, changed or removed',
  activity.extend({ fields: z.array(z.string()) }),
);
export const activityRemoved = defineEvent(
  'contacts.activity.removed',
  'A contact event was removed with its properties',
  activity,
);

export const optOutChanged = defineEvent(
  'contacts.opt-out.changed',
  'A phone number was opted out of texts or back in, or an address was opted out of e-mails; lists the contacts that have it',
  z.object({ opt_out_id: z.int(), contact_ids: z.array(z.int()) }),
);

export const consentChanged = defineEvent(
  'contacts.consent.changed',
  'An agent has opted a contact out of texts or e-mails, or in again; contains the contacts of its owner that this holds for',
  z.object({ contact_ids: z.array(z.int()) }),
);

const bulkOperation = z.object({
  bulk_operation_id: z.int(),
  user_id: z.int(),
  action: z.string(),
  total: z.int(),
});
const contactImport = z.object({ import_id: z.int(), user_id: z.int() });
export const importCreated = defineEvent(
  'contacts.import.created',
  'A user began to upload a file of contacts',
  contactImport,
);
export const importEnded = defineEvent(
  'contacts.import.ended',
  'The import of a file was completed, canceled or failed',
  contactImport,
);

export const bulkOperationCreated = defineEvent(
  'contacts.bulk-operation.created',
  'A user requested a bulk operation on contacts',
  bulkOperation,
);
export const bulkOperationEnded = defineEvent(
  'contacts.bulk-operation.ended',
  'A bulk operation was completed or canceled, or ended because its user lost access',
  bulkOperation,
);

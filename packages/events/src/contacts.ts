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
  'A contact, one of its addresses, or who may see it was changed',
  contact.extend({ fields: z.array(z.string()) }),
);

export const contactRemoved = defineEvent(
  'contacts.contact.removed',
  'A contact and all that hung on it is gone',
  contact,
);

const hotness = z.object({ hotness_id: z.int(), user_id: z.int() });
export const hotnessCreated = defineEvent('contacts.hotness.created', 'A hotness was added', hotness);
export const hotnessChanged = defineEvent('contacts.hotness.changed', 'A hotness was changed', hotness);
export const hotnessRemoved = defineEvent(
  'contacts.hotness.removed',
  'A hotness is gone; contacts that had it have none',
  hotness,
);

const contactSource = z.object({ contact_source_id: z.int(), user_id: z.int(), name: z.string() });
export const contactSourceCreated = defineEvent(
  'contacts.contact-source.created',
  'A source was added',
  contactSource,
);
export const contactSourceChanged = defineEvent(
  'contacts.contact-source.changed',
  'A source was renamed',
  contactSource,
);
export const contactSourceRemoved = defineEvent(
  'contacts.contact-source.removed',
  'A source is gone; contacts that had it have none',
  contactSource,
);

const tag = z.object({ tag_id: z.int(), user_id: z.int() });
export const tagCreated = defineEvent('contacts.tag.created', 'A user has a tag more', tag);
export const tagChanged = defineEvent(
  'contacts.tag.changed',
  'A tag was renamed, on every contact that carries it; of these contacts nothing is said',
  tag,
);
export const tagRemoved = defineEvent(
  'contacts.tag.removed',
  'A tag is gone, from every contact that carried it; of these contacts nothing is said',
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
  'A custom field is gone with all its values',
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
  'Contacts were put on a static list',
  staticList.extend({ contact_ids: z.array(z.int()) }),
);
export const staticListRemoved = defineEvent(
  'contacts.static-list.removed',
  'A static list is gone; its contacts are not',
  staticList,
);

const activity = z.object({ event_id: z.int(), contact_id: z.int(), user_id: z.int() });
export const activityRecorded = defineEvent(
  'contacts.activity.recorded',
  'Something that happened with a contact was reported, as what the API calls an event',
  activity,
);
export const activityChanged = defineEvent(
  'contacts.activity.changed',
  'The description of an event, or one of its properties, was added, changed or removed',
  activity.extend({ fields: z.array(z.string()) }),
);
export const activityRemoved = defineEvent(
  'contacts.activity.removed',
  'An event and its properties are gone',
  activity,
);

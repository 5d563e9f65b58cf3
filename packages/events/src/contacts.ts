import { z } from 'zod';
import { defineEvent } from './define-event.ts';

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

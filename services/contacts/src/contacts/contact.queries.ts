import { arrayOf, objectOf, readModel } from '@crm/data';
import { addressRows } from '../addresses/address.queries.ts';
import { contactSourceRows } from '../contact-sources/contact-source.queries.ts';
import { hotnessRows } from '../hotnesses/hotness.queries.ts';
import { ContactView } from './contact.api.ts';
import { visibleContacts } from './contact.policy.ts';

export const contactRows = readModel(ContactView, {
  table: 'contacts',
  visible: visibleContacts,
  special: {
    email: {
      equals: (values, binds) =>
        `lower(contacts.email) = any(array(select lower(v) from unnest(${binds.add(values)}::text[]) v))`,
    },
    tags: {
      equals: (values, binds) => {
        const bound = `${binds.add(values)}::text[]`;
        return `(contacts.tags = any(${bound}) or contacts.tag_list && ${bound})`;
      },
    },
  },
  nested: {
    addresses: arrayOf(addressRows, 'addresses.contact_id = contacts.id'),
    hotness: objectOf(hotnessRows, 'hotnesses.id = contacts.hotness_id', ['name', 'rank', 'color']),
    custom_fields: "'[]'::json",
    source: objectOf(contactSourceRows, 'contact_sources.id = contacts.source_id', [
      'id',
      'name',
      'user_id',
      'created_at',
    ]),
  },
});

import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleContactSources } from './contact-source.policy.ts';

const ContactSourceSchema = defineEntity({
  name: 'ContactSource',
  tableName: 'contact_sources',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    name: p.string(),
    user_id: p.integer(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    /** Hidden since then, on contacts too. The row is deleted when no contact has its id. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleContactSources),
});

/** Where contacts come from. */
export class ContactSource extends ContactSourceSchema.class {}
ContactSourceSchema.setClass(ContactSource);

import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleContacts } from './contact.policy.ts';

const ContactSchema = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: p.integer().primary(),
    version: p.integer(),
    owner_user_id: p.integer(),
    assigned_user_id: p.integer().nullable(),
    first_name: p.string().nullable(),
    last_name: p.string().nullable(),
    email: p.string().nullable(),
    mobile_phone: p.string().nullable(),
    home_phone: p.string().nullable(),
    office_phone: p.string().nullable(),
    mobile_phone_e164: p.string().nullable(),
    home_phone_e164: p.string().nullable(),
    office_phone_e164: p.string().nullable(),
    fax: p.string().nullable(),
    company: p.string().nullable(),
    birthday: p.string().nullable(),
    anniversary: p.string().nullable(),
    spouse_name: p.string().nullable(),
    spouse_email: p.string().nullable(),
    spouse_phone: p.string().nullable(),
    spouse_birthday: p.string().nullable(),
    /** The text before the first and after the last tag, so that the text of the tags is returned as it was sent. */
    tags_head: p.string().nullable(),
    tags_tail: p.string().nullable(),
    hotness_id: p.integer().nullable(),
    source_id: p.integer().nullable(),
    timezone: p.string().nullable(),
    /** The words of its addresses for the search. Triggers on the addresses keep them up to date. */
    address_text: p.string().nullable(),
    /** The users it is shared with; the rows of its shares contain them as well. */
    shared_user_ids: p
      .array((id) => Number(id))
      .columnType('int[]')
      .default([]),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleContacts),
});

/** A client, or a possible client, of an agent. */
export class Contact extends ContactSchema.class {
  /**
   * A change of a part, such as an address, is a new version of the contact even if no column changes. Callers must have locked
   * the row, so that no version is used twice.
   */
  change(at: Date) {
    this.version += 1;
    this.modified_at = at;
  }
}
ContactSchema.setClass(Contact);

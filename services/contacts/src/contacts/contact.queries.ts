import { alternativesIn, isUser, type Rule, type User } from '@crm/auth';
import { toE164 } from '@crm/contacts-csv/phone';
import { arrayOf, objectOf, readModel, sha256Of } from '@crm/data';
import { type Binds, type Column, inAnyCase, sqlOfRule } from '@crm/query';
import { contactSourceRows } from '../contact-sources/contact-source.queries.ts';
import { customFieldsOnContact, startsOfFields } from '../custom-fields/custom-field.queries.ts';
import { hotnessRows } from '../hotnesses/hotness.queries.ts';
import { tagsEqual, tagsText } from '../tags/tag.queries.ts';
import { addressRows } from './address.queries.ts';
import { ContactView } from './contact.api.ts';
import { visibleContacts } from './contact.policy.ts';
import { isReferredTo, references, rowOf, unlessRemoved } from './reference.queries.ts';

/** A number is found as it was sent and in any other notation. */
const phone = (field: string): Partial<Column> => ({
  equals: (values, binds) => {
    const numbers = values.map((value) => toE164(String(value))).filter((value) => value !== null);
    const asSent = `contacts.${field} = any(${binds.add(values)}::text[])`;
    return numbers.length === 0
      ? asSent
      : `(${asSent} or contacts.${field}_e164 = any(${binds.add(numbers)}::text[]))`;
  },
});

/** An empty text counts as none. */
const hasOneOf = (...fields: readonly string[]) =>
  `(${fields.map((field) => `coalesce(contacts.${field}, '') <> ''`).join(' or ')})`;

export const contactRows = readModel(ContactView, {
  table: 'contacts',
  visible: visibleContacts,
  totals: { table: 'contact_totals', owner: 'owner_user_id', sum: 'contacts' },
  hidden: {
    shared_user_ids: { kind: 'integer', sql: 'contacts.shared_user_ids' },
    has_email: { kind: 'boolean', sql: hasOneOf('email') },
    has_phone: { kind: 'boolean', sql: hasOneOf('mobile_phone', 'home_phone', 'office_phone') },
  },
  special: {
    mobile_phone: phone('mobile_phone'),
    home_phone: phone('home_phone'),
    office_phone: phone('office_phone'),
    email: { equals: inAnyCase('contacts.email') },
    spouse_email: { equals: inAnyCase('contacts.spouse_email') },
    tags: { sql: tagsText, equals: (values, binds) => tagsEqual(values, binds) },
    hotness_id: unlessRemoved('hotness_id'),
    source_id: unlessRemoved('source_id'),
  },
  viewerEquals: {
    tags: (values, binds, viewer) =>
      tagsEqual(
        values,
        binds,
        isUser(viewer) && !hasOneOwner(viewer) ? ownersSeenBy(viewer, binds) : undefined,
      ),
  },
  nestedFrom: (viewer, binds) => [
    // Of addresses and of values of custom fields: each change of one is a new version.
    'contacts.version',
    tagsText,
    ...references.map(rowOf),
    `(select ${sha256Of(startsOfFields(viewer, binds))})`,
  ],
  nested: {
    tags: tagsText,
    hotness_id: unlessRemoved('hotness_id').sql,
    source_id: unlessRemoved('source_id').sql,
    addresses: arrayOf(addressRows, 'addresses.contact_id = contacts.id'),
    hotness: objectOf(hotnessRows, isReferredTo('hotness_id'), ['name', 'rank', 'color']),
    custom_fields: customFieldsOnContact,
    source: objectOf(contactSourceRows, isReferredTo('source_id'), ['id', 'name', 'user_id', 'created_at']),
  },
});

const reasonsOf = (viewer: User): readonly Rule[] => alternativesIn(visibleContacts(viewer));

/** Whether no rule names several owners: if a rule names one, the planner applies it to the tags as well. */
const hasOneOwner = (viewer: User): boolean =>
  reasonsOf(viewer).every(({ owner_user_id = [] }) => [owner_user_id].flat().length <= 1);

/** A query of the owners of all contacts that a user sees, who are few. */
export const ownersSeenBy = (viewer: User, binds: Binds): string =>
  reasonsOf(viewer)
    .map((rule) =>
      'owner_user_id' in rule
        ? `select unnest(${binds.add([rule.owner_user_id].flat())}::int[])`
        : `select owner_user_id from contacts where ${sqlOfRule(rule, contactRows.columns, binds)}`,
    )
    .join(' union ');

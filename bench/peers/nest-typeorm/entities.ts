import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaRelationOptions } from 'typeorm';
import { addressTextNames, moments, textNames } from '../contact-fields.ts';

type Columns = Readonly<Record<string, EntitySchemaColumnOptions>>;
type Relations = Record<string, EntitySchemaRelationOptions>;

const id: EntitySchemaColumnOptions = { type: 'int', primary: true, generated: 'increment' };
const key: EntitySchemaColumnOptions = { type: 'int', primary: true };
const integer: EntitySchemaColumnOptions = { type: 'int', nullable: true };
const text: EntitySchemaColumnOptions = { type: 'varchar', nullable: true };
const moment: EntitySchemaColumnOptions = { type: 'timestamptz', nullable: true };
const hidden = { select: false };

const entity = (name: string, tableName: string, columns: Columns, relations: Relations = {}) =>
  new EntitySchema<Record<string, unknown>>({ name, tableName, columns: { ...columns }, relations });

const to = (target: string, column: string): EntitySchemaRelationOptions => ({
  type: 'many-to-one',
  target,
  joinColumn: { name: column },
});

const from = (target: string): EntitySchemaRelationOptions => ({
  type: 'one-to-many',
  target,
  inverseSide: 'contact',
});

const columnsOf = (names: readonly string[], options: EntitySchemaColumnOptions): Columns =>
  Object.fromEntries(names.map((name) => [name, options]));

const contact = entity(
  'Contact',
  'contacts',
  {
    id,
    version: { type: 'int', version: true, ...hidden },
    owner_user_id: integer,
    assigned_user_id: integer,
    ...columnsOf(textNames, text),
    hotness_id: integer,
    source_id: integer,
    ...columnsOf(moments, moment),
    tags_head: { ...text, ...hidden },
    tags_tail: { ...text, ...hidden },
    shared_user_ids: { type: 'int', array: true, default: [], ...hidden },
    mobile_phone_e164: { ...text, ...hidden },
    home_phone_e164: { ...text, ...hidden },
    office_phone_e164: { ...text, ...hidden },
  },
  {
    hotness: to('Hotness', 'hotness_id'),
    source: to('Source', 'source_id'),
    addresses: from('Address'),
    contact_tags: from('ContactTag'),
  },
);

const address = entity(
  'Address',
  'addresses',
  {
    id,
    contact_id: { ...integer, ...hidden },
    type: text,
    ...columnsOf(addressTextNames, text),
    created_at: moment,
    modified_at: moment,
  },
  { contact: to('Contact', 'contact_id') },
);

const contactTag = entity(
  'ContactTag',
  'contact_tags',
  { contact_id: key, position: key, tag_id: integer, lead: text },
  { contact: to('Contact', 'contact_id'), tag: to('Tag', 'tag_id') },
);

export const entities = [
  contact,
  address,
  contactTag,
  entity('User', 'users', { id, disabled_at: moment }),
  entity(
    'Token',
    'tokens',
    { id, token_hash: text, user_id: integer, expires_at: moment, revoked_at: moment },
    { user: to('User', 'user_id') },
  ),
  entity('Hotness', 'hotnesses', {
    id,
    name: text,
    rank: integer,
    color: text,
    user_id: { ...integer, ...hidden },
  }),
  entity('Source', 'contact_sources', { id, name: text, user_id: integer, created_at: moment }),
  entity('Tag', 'tags', { id, user_id: integer, content: text, removed_at: moment }),
  entity('CustomField', 'custom_fields', {
    id,
    user_id: integer,
    name: text,
    rank: integer,
    data_type: text,
  }),
  entity('CustomFieldValue', 'custom_field_values', { contact_id: key, custom_field_id: key, value: text }),
];

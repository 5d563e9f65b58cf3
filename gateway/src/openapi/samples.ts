import type { oas31 } from 'openapi3-ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** Typical values of fields by name: one agency, one person, one house. Numbers are in the form that the field accepts. */
const typical: Readonly<Record<string, string | number | boolean>> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Open house',
  username: 'ada@example.com',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  color: '#d9480f',
  content: 'buyer',
  list_name: 'Spring mailing',
  timezone: 'America/Los_Angeles',
  timezone_offset: -8,
  street_address_1: '12 St James Square',
  street_address_2: 'Apt 4',
  street_address: '12 St James Square',
  address: '12 St James Square',
  address_1: '12 St James Square',
  city: 'Portland',
  state: 'Oregon',
  zip: '97201',
  zipcode: '97201',
  distribution_zipcodes: '97201, 97202',
  birthday: '1975-12-10',
  anniversary: '2019-06-01',
  spouse_name: 'William',
  spouse_email: 'william@example.com',
  spouse_birthday: '1974-02-21',
  tags: 'buyer, first home',
  site_domain: 'homes.example.com',
  url: 'https://homes.example.com/listings/20417',
  profile_picture: 'https://homes.example.com/agents/ada.jpg',
  images: 'https://homes.example.com/listings/20417.jpg',
  mls: '20417',
  mls_id: '20417',
  beds: 3,
  full_baths: 2,
  half_baths: 1,
  square_feet: '1850',
  sqft: '1850',
  year_built: 1987,
  latitude: 45.5152,
  longitude: -122.6784,
  listing_price: '649000',
  estimated_value: '655000',
  last_sold_price: '512000',
  listing_status: 'For Sale',
  listing_days_on_market: 12,
  filter: 'Buyer',
  text_body: 'I would like to see the house on Saturday.',
  html_body: '<p>I would like to see the house on Saturday.</p>',
  description: 'Call about the viewing on Saturday',
  notes: 'Prefers the afternoon',
  subject: 'The house on St James Square',
  template_subject: 'The house on St James Square',
  body: 'Hello {{contact.first_name}}, when would you like to see the house?',
  template_name: 'After the open house',
  template_folder_name: 'Buyers',
  campaign_name: 'Welcome',
  team_name: 'North',
  lead_source_name: 'Zillow',
  hotness_name: 'Hot',
  value: 'Two cats',
  rank: 1,
  type: 'Buyer',
  limit: 10,
  total: 1,
  skip: 0,
  delay_by_days: 1,
  dispatch_time: '09:00:00',
  time_to_claim: '00:04:10',
  mins_until_next_alert: 5,
  recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO',
  code: '481516',
  access_token: '0f9b2c7d4e8a1365bc70d92e4f81a6b35c0d7e29',
  client_id: 'a-website',
  redirect_uri: 'https://app.example.com/callback',
  record_type: 'contact',
  request_id: '7c8b7959-8fbb-4b18-abd1-8db31fc06f97',
  reason: 'The person has no e-mail address.',
};

/** The keys in `typical` for the names of other records. */
const names: Readonly<Record<string, string>> = {
  team: 'team_name',
  campaign: 'campaign_name',
  lead_source: 'lead_source_name',
  source: 'lead_source_name',
  hotness: 'hotness_name',
};

/** Fields that most records do not have, or not yet: null, or empty if there can be several. */
const unset = new Set([
  ...['claimed_at', 'claimed_by_user_id', 'time_to_claim', 'declined_at', 'completed_at'],
  ...['completing_user_id'],
  ...['completing_user', 'dispatch_datetime', 'delay_by_seconds', 'recurrence', 'delivery_state', 'moved_to'],
  ...[
    'dispatch_reason',
    'alert_state',
    'alert_reason',
    'fallback_reason',
    'pending_phone',
    'pending_phone_problem',
  ],
  ...['act_user_id', 'client_id', 'original_template_folder_id', 'problems', 'unknown', 'empty', 'warnings'],
  ...['dialer_session_id', 'file_id', 'text_source', 'text_changed_at', 'text_paused_at'],
  ...['email_source', 'email_changed_at'],
]);

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53.000Z',
  'date-time-local': '2026-03-14T09:26:53',
  'local-date-time': '2026-03-14 09:26:53',
  'hours-minutes-seconds': '00:04:10',
  uri: 'https://homes.example.com/',
  email: 'ada@example.com',
};

/** Finds the schema that a reference names. */
export type Resolve = (ref: string) => Schema | undefined;

/** A value of a schema as a client could see it, by the names of its fields. */
export function sampleOf(schema: Schema, resolve: Resolve, name = '', owner = ''): unknown {
  if (isReference(schema)) return sampleOf(resolve(schema.$ref) ?? {}, resolve, name, owner);
  const { properties, items, examples, anyOf = [], oneOf = [] } = schema;
  if (examples) return examples[0];
  if (unset.has(name) && canBeUnset(schema)) return items ? [] : null;
  const [choice] = [...anyOf, ...oneOf].filter(isValue);
  if (choice) return sampleOf(choice, resolve, name, owner);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => value !== null) ?? null;
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([field, inner]) => [field, sampleOf(inner, resolve, field, name)]),
    );
  }
  if (items) return [sampleOf(items, resolve, name)];
  return plainSample(schema, name === 'name' ? (names[owner] ?? name) : name);
}

const canBeUnset = ({ type, items, anyOf = [] }: oas31.SchemaObject) =>
  items !== undefined ||
  [type].flat().includes('null') ||
  anyOf.some((one) => !isReference(one) && one.type === 'null');

const isReference = (schema: Schema): schema is oas31.ReferenceObject => '$ref' in schema;

const isValue = (schema: Schema) => isReference(schema) || schema.type !== 'null';

function plainSample({ type, format, minimum, default: usual }: oas31.SchemaObject, name: string): unknown {
  const kind = [type].flat().find((one) => one !== 'null');
  if (kind === undefined && type !== undefined) return null;
  const known = Number(typical[name]);
  // Numbers from 1 are ids, which differ by name; so are numbers from 0 whose names say so.
  const usualNumber = minimum === 1 || (minimum === 0 && name.endsWith('_id')) ? 4199 + name.length : 0;
  switch (kind) {
    case 'boolean':
      return usual ?? name.startsWith('is_active');
    case 'integer':
    case 'number':
      return Number.isFinite(known) ? known : usualNumber;
    case 'object':
      return {};
    case 'array':
      return [];
    default:
      return formats[format ?? ''] ?? textFor(name);
  }
}

function textFor(name: string): string {
  if (/(^|_)phone$|^fax$/.test(name)) return '+15035550199';
  return String(typical[name] ?? 'text');
}

/** The required parts of a sample and some more: nobody sends everything. */
export function requestSample(schema: Schema, resolve: Resolve): unknown {
  if (isReference(schema)) return undefined;
  const { properties = {}, required = [] } = schema;
  const others = Object.keys(properties).filter((name) => !required.includes(name) && isUsual(name));
  const sent = new Set([
    ...required,
    ...others.slice(0, required.length > 0 ? Math.max(2, 5 - required.length) : 3),
  ]);
  const entries = Object.entries(properties).filter(([name]) => sent.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sampleOf(inner, resolve, name)]));
}

/** Services set these themselves, or they are references that few requests need. */
const isUsual = (name: string) => !/_id$|_at$|^addresses$|^custom_fields$/.test(name);

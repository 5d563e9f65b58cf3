import type { oas31 } from 'openapi3-ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** Typical values of fields, by name; a field with this name means the same in every resource. */
const typical: Readonly<Record<string, string>> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  color: '#d9480f',
  timezone: 'America/Los_Angeles',
  street_address_1: '12 St James Square',
  street_address: '12 St James Square',
  city: 'Portland',
  state: 'OR',
  zip: '97201',
  birthday: '1975-12-10',
  anniversary: '2019-06-01',
  site_domain: 'homes.example.com',
  listing_price: '649000',
};

const typicalFormats: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53.000Z',
  'date-time-local': '2026-03-14T09:26:53',
};

/** What the parts of a name say; a contract describes what they do not. */
const patterns: readonly (readonly [RegExp, (words: string) => string])[] = [
  [/^id$/, () => 'The id of the record.'],
  [/^data$/, () => 'The records of this page.'],
  [/^created_at$/, () => 'When the record was created.'],
  [/^(?:modified|updated)_at$/, () => 'When the record was last changed.'],
  [/^(\w+)_id$/, (words) => `The id of the ${words}.`],
  [/^(\w+ed)_at$/, (words) => `When it was ${words}.`],
  [/^(?:is|has)_(\w+)_enabled$/, (words) => `Whether the setting "${words}" is on.`],
  [/^is_(\w+)$/, (words) => `Whether it is ${words}.`],
  [/^has_(\w+)_alert$/, (words) => `Whether leads are announced by ${words}.`],
];

/** The schema with a description and an example for each of its fields whose name tells them. */
export function withMeanings<Given extends Schema>(schema: Given): Given {
  if ('$ref' in schema) return schema;
  const { properties, items } = schema as oas31.SchemaObject;
  const described =
    properties &&
    Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, fieldWithMeaning(name, field)]),
    );
  return {
    ...schema,
    ...(described && { properties: described }),
    ...(items && { items: withMeanings(items) }),
  };
}

function fieldWithMeaning(name: string, field: Schema): Schema {
  if ('$ref' in field) return field;
  const description = field.description ?? meaningOf(name);
  const example = exampleOf(name, field);
  return {
    ...withMeanings(field),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function meaningOf(name: string): string | undefined {
  for (const [pattern, meaning] of patterns) {
    const match = pattern.exec(name);
    if (match) return meaning((match[1] ?? '').replaceAll('_', ' '));
  }
  return undefined;
}

function exampleOf(name: string, { type, enum: choices, format, examples }: oas31.SchemaObject) {
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText || choices || examples) return undefined;
  if (name.endsWith('phone')) return '+15035550199';
  return typicalFormats[format ?? ''] ?? typical[name];
}

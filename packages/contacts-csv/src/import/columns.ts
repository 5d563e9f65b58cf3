import { suggestion } from '@crm/contract';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { csvLimits } from '../csv/csv-rows.ts';
import { cellFields } from '../fields.ts';

export interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: string;
}

export interface Columns {
  /** How many columns the file has. */
  readonly count: number;
  readonly used: readonly Column[];
  /** Headers that match no field, or a field that another column fills. */
  readonly ignored: readonly string[];
}

/** Fields by headers, as given by the operator. An empty field leaves the column out. */
export type Mapping = ReadonlyMap<string, string>;

/** First Name, first-name and FIRST_NAME are the same header. */
const plain = (header: string): string => header.toLowerCase().replace(/[\s_-]+/g, '');

const synonyms: Readonly<Record<string, readonly string[]>> = {
  first_name: ['given name', 'forename'],
  last_name: ['surname', 'family name'],
  email: ['mail', 'email address'],
  mobile_phone: ['phone', 'mobile', 'cell', 'cell phone', 'cellphone', 'phone number', 'mobile number'],
  home_phone: ['home', 'phone home', 'home number'],
  office_phone: ['office', 'work phone', 'business phone', 'phone work', 'phone office'],
  company: ['organization', 'organisation', 'company name'],
  birthday: ['birth date', 'birthdate', 'date of birth', 'dob'],
  spouse_name: ['spouse', 'partner'],
  tags: ['tag', 'labels'],
  street_address_1: ['street', 'address', 'street address', 'address 1', 'address line 1', 'street 1'],
  street_address_2: ['address 2', 'address line 2', 'street 2', 'unit'],
  zip: ['zip code', 'postal code', 'postcode', 'zip postal code'],
  city: ['town'],
  state: ['province', 'state province'],
  source: ['lead source', 'contact source'],
};

const byName = new Map(cellFields.map((field) => [plain(field), field]));
const bySynonym = new Map(
  Object.entries(synonyms).flatMap(([field, names]) => names.map((name) => [plain(name), field])),
);

const ownName = (name: string) => byName.get(name);
const anyName = (name: string) => bySynonym.get(name);

/** Reads `Header=field,…`. */
export function readMapping(text = ''): Mapping {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const separator = part.lastIndexOf('=');
      const field = part.slice(separator + 1).trim();
      if (separator < 1) {
        throw new ContactsCsvError(
          'InvalidMapping',
          `must be of the form Header=field, unlike "${part.trim()}".`,
        );
      }
      if (field !== '' && !cellFields.includes(field)) {
        throw new ContactsCsvError(
          'InvalidMapping',
          `refers to an unknown field "${field}".${suggestion(field, cellFields)}`,
        );
      }
      return [plain(part.slice(0, separator)), field];
    }),
  );
}

/** Finds the field of each column. Throws if there is none, or if there are too many columns. */
export function readColumns(headers: readonly string[], mapping: Mapping): Columns {
  if (headers.length > csvLimits.columns) {
    throw new ContactsCsvError('NoHeader', `The file has more than ${csvLimits.columns} columns.`);
  }
  const absent = [...mapping.keys()].filter((name) => !headers.some((header) => plain(header) === name));
  if (absent.length > 0)
    throw new ContactsCsvError('NoHeader', `The file has no column ${absent.join(', ')}.`);
  const used = new Map<string, Column>();
  for (const fieldOf of [namedIn(mapping), unlessNamed(mapping, ownName), unlessNamed(mapping, anyName)]) {
    for (const [index, header] of headers.entries()) {
      const field = fieldOf(header);
      if (field && !used.has(field) && ![...used.values()].some((column) => column.index === index)) {
        used.set(field, { index, header, field });
      }
    }
  }
  if (used.size === 0) {
    throw new ContactsCsvError(
      'NoHeader',
      `No header matches a field of a contact. The fields are ${cellFields.join(', ')}.`,
    );
  }
  const columns = [...used.values()].sort((a, b) => a.index - b.index);
  const usedIndexes = new Set(columns.map(({ index }) => index));
  const ignored = headers.filter((header, index) => header !== '' && !usedIndexes.has(index));
  return { count: headers.length, used: columns, ignored };
}

const namedIn = (mapping: Mapping) => (header: string) => mapping.get(plain(header));
const unlessNamed = (mapping: Mapping, find: (name: string) => string | undefined) => (header: string) =>
  mapping.has(plain(header)) ? undefined : find(plain(header));

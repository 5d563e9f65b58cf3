import fc from 'fast-check';
import type { z } from 'zod';
import type { contactsApi } from '../../src/api.ts';

type Draft = z.input<typeof contactsApi.contacts.create.input>;

/** Texts close to formulas, separators, apostrophes, blanks and line endings. */
const hostile = fc
  .string({
    unit: fc.constantFrom(
      "'",
      '"',
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\r',
      '\n',
      ',',
      ';',
      '|',
      ' ',
      '\u00a0',
      '\u2028',
      'é',
      'a',
      '7',
    ),
    maxLength: 12,
  })
  .filter((text) => text !== '');
const anyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const text = fc.oneof(hostile, anyText, fc.constantFrom('Anna', "O'Brien", "'t Hooft", 'Zoë'));

/** What the API accepts although an import would refuse or convert it. */
const spoiled = fc.constantFrom(
  '5,03556E+09',
  '29221',
  '05/31/80',
  '0/0/00',
  'not-an-email',
  "'x",
  '6045554572.0',
  'N/A',
);
const email = fc.oneof(
  fc.emailAddress().filter((address) => address.length <= 45),
  spoiled,
  text,
);
const phone = fc.oneof(
  fc.constantFrom('+1 604 555 4572', '(604) 555-4573', '604.555.4574 x12'),
  spoiled,
  text,
);
const day = fc.oneof(fc.constantFrom('1980-05-31', 'May 31', '--05-31', '31.5.1980'), spoiled, text);
const instant = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const tags = fc.oneof(
  fc.constantFrom('Buyer', 'Hot; VIP, Seller', 'a,b ,  c', '* starred', 'a ::: b', ' , '),
  text,
);

const address = fc.record(
  {
    type: fc.constantFrom('Home', 'Main Office', 'Mailing'),
    street_address_1: text,
    street_address_2: text,
    zip: fc.oneof(fc.constantFrom('64030', '1,2E+04', '123'), text),
    city: text,
    state: text,
  },
  { requiredKeys: ['city'] },
);

export interface RichContact {
  readonly draft: Draft;
  /** The values of custom fields, by their index. */
  readonly values: readonly (string | null)[];
  /** Indexes of catalogues and colleagues. */
  readonly hotness: number | null;
  readonly source: number | null;
  readonly assignee: number | null;
  readonly shares: readonly number[];
}

const none = <Value>(some: fc.Arbitrary<Value>) => fc.option(some, { nil: null });
const index = fc.integer({ min: 0, max: 1 });
const number = fc.constantFrom('12', '$1,250.50', '5E+09', 'many');

export const richContact: fc.Arbitrary<RichContact> = fc.record({
  draft: fc.record({
    first_name: none(text),
    last_name: none(text),
    email: none(email),
    mobile_phone: none(phone),
    home_phone: none(phone),
    office_phone: none(phone),
    fax: none(phone),
    company: none(text),
    birthday: none(day),
    anniversary: none(day),
    spouse_name: none(text),
    spouse_email: none(email),
    spouse_phone: none(phone),
    spouse_birthday: none(day),
    tags: none(tags),
    created_at: instant,
    modified_at: instant,
    addresses: fc.array(address, { maxLength: 4 }),
  }),
  values: fc.tuple(none(text), none(number), none(day), none(number), none(text)),
  hotness: none(index),
  source: none(index),
  assignee: none(index),
  shares: fc.uniqueArray(index, { maxLength: 2 }),
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf, checkCell, type Kind } from './check-cell.ts';
import { splitName } from './name.ts';

const today = '2026-11-22';
const scale = Number(process.env.TEST_SCALE ?? 1);

const unchanged: readonly (readonly [Kind, ...string[]])[] = [
  ['email', 'anna@example.com', "o'brien@mail.example.co.uk", 'a+b@x.example'],
  ['phone', '(604) 555-4572', '+1 604 555 4572', '604.555.4572 x12', '+41 44 668 18 00'],
  ['date', '1980-05-31', '--05-31', '05/31', 'May 31'],
  ['instant', '2026-03-01T09:00:00Z', '2026-03-01', '2026-03-01 09:00:00.123'],
  ['number', '12', '-3.5', '$1,250.50', '€ 1 250', '-$12', '7 %', '0.125', '12.1250'],
  ['zip', '64030', 'V5H 0A1'],
  ['tags', 'Buyer, Seller', 'a,b ,  c', '1:30 pm'],
  ['text', '5,03556E+09', "'tis", "O'Brien"],
];

const converted: readonly (readonly [Kind, string, string])[] = [
  ['email', "'anna@example.com'", 'anna@example.com'],
  ['email', 'Anna Ng <anna@example.com>', 'anna@example.com'],
  ['email', 'mailto:anna@example.com', 'anna@example.com'],
  ['phone', '6045554572.0', '6045554572'],
  ['date', '10/28/1955', '1955-10-28'],
  ['date', '28/10/1955', '1955-10-28'],
  ['date', '10-9-1955', '1955-10-09'],
  ['date', '10.9.1955', '1955-09-10'],
  ['date', '1955/1/2', '1955-01-02'],
  ['date', '5/31/80', '1980-05-31'],
  ['date', '5/31/26', '2026-05-31'],
  ['date', 'Oct 28, 1955', '1955-10-28'],
  ['date', '28 October 1955', '1955-10-28'],
  ['date', '28-Oct-55', '1955-10-28'],
  ['date', '1955-10-28 00:00:00', '1955-10-28'],
  ['date', '10/28/1955 12:00:00 AM', '1955-10-28'],
  ['number', '1250,50', '1250.50'],
  ['number', '1 250,50 $', '1250.50$'],
  ['number', '€ 1.250,5', '€ 1250.5'],
  ['number', '1.250.000', '1250000'],
  ['number', "1'250.50", '1250.50'],
  ['number', '(500)', '-500'],
  ['number', '$(500.00)', '-$500.00'],
  ['number', '$ -', '0'],
  ['number', '($1,500.00)', '-$1,500.00'],
  ['instant', '4/5/2019 3:07 PM', '2019-04-05T15:07:00Z'],
  ['instant', '4/5/2019, 12:07:09 am', '2019-04-05T00:07:09Z'],
  ['instant', '2019-04-05 7:00:00Z', '2019-04-05T07:00:00Z'],
  ['instant', '4/5/2019 15:07 UTC', '2019-04-05T15:07:00Z'],
  ['instant', '5.4.2019 16:20', '2019-04-05T16:20:00Z'],
  ['instant', 'April 5, 2019', '2019-04-05T00:00:00Z'],
  ['instant', 'Friday, April 5, 2019', '2019-04-05T00:00:00Z'],
  ['instant', '2019-04-05 15:07:00 -0700', '2019-04-05T22:07:00Z'],
  ['instant', '4/5/2019 15:07 +05:30', '2019-04-05T09:37:00Z'],
  ['date', 'Fri, Apr 5 2019', '2019-04-05'],
];

const refused: readonly (readonly [Kind, string, string])[] = [
  ['email', 'not-an-email', 'e-mail address such as'],
  ['email', 'a@example.com; b@example.com', 'one e-mail address'],
  ['email', 'anna@example', 'e-mail address such as'],
  ['phone', '5,03556E+09', 'digits are lost: format the column as text'],
  ['phone', '5.03556e+9', 'digits are lost: format the column as text'],
  ['phone', 'ask his wife', 'phone number such as'],
  ['phone', '12', 'phone number such as'],
  ['date', '29221', 'perhaps 1980-01-01): format the column as a date'],
  ['date', '29221.0', 'perhaps 1980-01-01'],
  ['date', '1980', 'number of a day'],
  ['date', '1980-02-30', 'must be a date'],
  ['date', '13/13/1980', 'must be a date'],
  ['date', 'soon', 'must be a date'],
  ['instant', '43560.68', 'perhaps 2019-04-05'],
  ['instant', '4/5/2019 13:07 PM', 'must be a date and time'],
  ['instant', 'May 31', 'must be a date and time'],
  ['number', '5E+09', 'digits are lost'],
  ['number', 'many', 'must be a number'],
  ['zip', '1,2E+04', 'digits are lost'],
];

describe('a value', () => {
  it.each(unchanged.flatMap(([kind, ...texts]) => texts.map((text) => [kind, text] as const)))(
    'of kind %s is kept: %s',
    (kind, text) => {
      expect(checkCell(`  ${text}\u00a0`, kind, today)).toEqual({ value: text });
    },
  );

  it.each(converted)('of kind %s is converted, with a warning: %s is %s', (kind, text, value) => {
    const warning = expect.stringContaining(`"${text}" was read as ${value}`);
    expect(checkCell(text, kind, today)).toEqual({ value, warning });
  });

  it.each(refused)(
    'of kind %s is refused with a sentence that says how to fix it: %s',
    (kind, text, reason) => {
      expect(checkCell(text, kind, today)).toEqual({ error: expect.stringContaining(reason) });
      expect(checkCell(`'${text}`, kind, today)).toEqual({ value: text });
    },
  );

  it.each([
    ['zip', '="02134"', '02134'],
    ['phone', '="6045554572"', '6045554572'],
    ['text', '="00123"', '00123'],
    ['email', '\u200banna@example.com\u200b ', 'anna@example.com'],
    ['phone', '\u202a+1 604 555 4572\u202c', '+1 604 555 4572'],
    ['date', '0/0/00', ''],
    ['date', '0000-00-00', ''],
    ['tags', 'Hot; VIP', 'Hot, VIP'],
    ['tags', 'Hot|VIP,  Buyer ::: * myContacts', 'Hot, VIP, Buyer'],
    ['tags', "'Hot; VIP, Buyer", 'Hot; VIP, Buyer'],
    ['tags', '"VIP","Past client" , Buyer,""', 'VIP, Past client, Buyer'],
    ['tags', '"The ""Ng"" house"', 'The "Ng" house'],
    ['tags', '"Hot" leads, VIP', '"Hot" leads, VIP'],
    ['email', "'a@x.example ::: b@y.example", 'a@x.example ::: b@y.example'],
  ] as const)('of kind %s keeps its meaning in other programs: %s is "%s"', (kind, text, value) => {
    expect(checkCell(text, kind, today)).toEqual({ value });
  });

  it.each([
    ['email', 'a@x.example ::: b@y.example ::: a@x.example', 'a@x.example', ['b@y.example']],
    ['phone', '604 555 4572 ::: 604 555 4573', '604 555 4572', ['604 555 4573']],
    ['phone', ' ::: 604 555 4572 ::: ', '604 555 4572', []],
  ] as const)('of kind %s is the first of several: %s', (kind, text, value, more) => {
    expect(checkCell(text, kind, today)).toEqual({ value, ...(more.length > 0 && { more }) });
  });

  it('of tags is read like a line of CSV if each is quoted, with a warning about commas', () => {
    const warning = expect.stringContaining('was read as VIP, Blog news: a comma separates tags');
    expect(checkCell('"VIP",",","Blog, news"', 'tags', today)).toEqual({ value: 'VIP, Blog news', warning });
  });

  it.each([
    ['phone', '555-4572', 'not a complete number'],
    ['zip', '2134', 'may have lost a zero'],
    ['zip', '2134-1234', 'may have lost a zero'],
    ['number', '1.250', 'has a decimal point; write it without if it is 1250'],
    ['number', '250.000 €', 'has a decimal point; write it without if it is 250000 €'],
    ['number', '€ 1.250', 'has a decimal point; write it without if it is € 1250'],
    ['number', '$1.250', 'has a decimal point'],
    ['number', '-1.250', 'has a decimal point'],
    ['number', '1.250%', 'has a decimal point'],
    ['number', '1,25,000', 'is not a number that filters can compare'],
  ] as const)('of kind %s is stored with a warning: %s', (kind, text, warning) => {
    expect(checkCell(text, kind, today)).toEqual({ value: text, warning: expect.stringContaining(warning) });
  });

  it('is restored exactly from its cell, whatever it is', () => {
    const kinds: readonly Kind[] = ['text', 'email', 'phone', 'date', 'instant', 'number', 'zip', 'tags'];
    const known = [...converted, ...refused].map(([, text]) => text);
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(...known, '="1"', 'a@b.c\u200b'),
      fc.string({ unit: fc.constantFrom("'", ' ', '=', '1', '/', ';', '"', ',', 'a@b.c', ' ::: ') }),
      fc
        .tuple(fc.nat(3), fc.constantFrom('anna@office.example', '|7 @+', 'a@b'), fc.nat(2))
        .map(([before, inside, after]) => `${"'".repeat(before)}${inside}${"'".repeat(after)}`),
    );
    const property = fc.property(fc.constantFrom(...kinds), text, (kind, value) => {
      const cell = cellOf(value, kind, today);
      expect(checkCell(cell, kind, today)).toMatchObject({ value });
      expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    });
    fc.assert(property, { numRuns: 1_000 * scale });
  });
});

describe('a full name', () => {
  it.each([
    ['Anna Ng', 'Anna', 'Ng'],
    ['Ng, Anna', 'Anna', 'Ng'],
    ['Anna Maria Ng', 'Anna Maria', 'Ng'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Juan de la Cruz', 'Juan', 'de la Cruz'],
    ['Martin King Jr.', 'Martin', 'King Jr.'],
    ['King, Jr.', 'King', 'Jr.'],
    ['Jane Doe, Realtor', 'Jane', 'Doe Realtor'],
    ['Jane Doe, REALTOR®', 'Jane', 'Doe REALTOR®'],
    ['John Smith, Esq.', 'John', 'Smith Esq.'],
    ['Acme Homes, LLC', 'Acme', 'Homes LLC'],
    ['Acme, Inc.', 'Acme', 'Inc.'],
    ['Doe, John, MD', 'John', 'Doe MD'],
    ['Doe, John, Ph.D.', 'John', 'Doe Ph.D.'],
    ['Rahman, Md', 'Md', 'Rahman'],
    ['King, Martin, Jr.', 'Martin', 'King Jr.'],
    ['John & Mary Smith', 'John & Mary', 'Smith'],
    ['Cher', 'Cher', undefined],
    ['Van Halen', 'Van', 'Halen'],
  ])('%s is split', (name, first_name, last_name) => {
    expect(splitName(name)).toEqual({ first_name, ...(last_name !== undefined && { last_name }) });
  });
});

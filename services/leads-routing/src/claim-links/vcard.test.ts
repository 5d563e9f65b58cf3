import fc from 'fast-check';
import { expect, it } from 'vitest';
import { vcard } from './vcard.ts';

const nobody = {
  first_name: null,
  last_name: null,
  email: null,
  company: null,
  mobile_phone: null,
  mobile_phone_e164: null,
  home_phone: null,
  home_phone_e164: null,
  office_phone: null,
  office_phone_e164: null,
};

it('a vCard contains the known names, addresses and phones', () => {
  const card = {
    ...nobody,
    first_name: 'Jane',
    last_name: 'Doe; Smith',
    email: 'jane@example.com',
    mobile_phone: '+1 604',
  };
  expect(vcard(card)).toBe(
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe\\; Smith;Jane;;;\r\nFN:Jane Doe\\; Smith\r\n' +
      'EMAIL;TYPE=INTERNET:jane@example.com\r\nTEL;TYPE=CELL:+1 604\r\nEND:VCARD\r\n',
  );
});

it('a vCard contains phones in E.164, those with an extension as written, and no invalid ones', () => {
  const phones = { home_phone: '(604) 555-0000', home_phone_e164: '+16045550000' };
  const office = { office_phone: '604 555 4572 x12', office_phone_e164: '+16045554572' };
  const card = vcard({ ...nobody, ...phones, ...office });
  expect(card).toContain('TEL;TYPE=HOME:+16045550000\r\nTEL;TYPE=WORK:604 555 4572 x12\r\n');
  expect(vcard({ ...nobody, home_phone: 'after 6pm' })).not.toContain('TEL');
});

it('a vCard has no line that a field injects, and no line longer than 75 octets, whatever the fields contain', () => {
  const text = fc.option(fc.string({ unit: 'binary', maxLength: 200 }));
  fc.assert(
    fc.property(fc.record({ first_name: text, last_name: text, email: text, company: text }), (fields) => {
      const lines = vcard({ ...nobody, ...fields }).split('\r\n');
      expect(lines.pop()).toBe('');
      for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const names = lines.filter((line) => !line.startsWith(' ')).map((line) => line.split(/[;:]/)[0]);
      const known = ['ORG', 'EMAIL'].filter((_, index) => [fields.company, fields.email][index]);
      expect(names).toEqual(['BEGIN', 'VERSION', 'N', 'FN', ...known, 'END']);
    }),
  );
});

import { calledSearchFunctions } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const ascii = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));
const others = ['É', 'ß', 'Łódź', 'œuvre', '﹣', 'ς', '株式', '1\u0301', '\u00a0', '\u2013', 'I\u0307'];

/** Texts in which each character is beside many others. */
const texts = [
  '',
  ...[...ascii, ...others].flatMap((one) =>
    ['', ' ', 'a', '-', '.', 'Z9', ...others.slice(0, 2)].flatMap((other) => [
      one + other,
      other + one + one,
    ]),
  ),
  ...others,
  ascii.join(''),
  "O'Hara-Smith, 12 Main St. <anna_b@example.com> +1 (604) 555-4572",
];

describe('the words of a contact', () => {
  it('are what they were before texts of ASCII characters had a short way', async () => {
    await contacts.rows(
      calledSearchFunctions
        .replaceAll('search_words', 'words_before')
        .replaceAll('search_digits', 'digits_before'),
      [],
    );
    const different = await contacts.rows(
      `select text from unnest($1::text[]) text where search_words(text) is distinct from words_before(text)
         or search_digits(text) is distinct from digits_before(text)`,
      [[...texts, null]],
    );
    expect(different).toEqual([]);
  });
});

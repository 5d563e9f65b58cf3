import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { toE164 } from './e164.ts';

const digits = (count: number, n: number) => String(n % 10 ** count).padStart(count, '0');

/** The ways in which people write a North American number. */
const forms: readonly ((area: string, exchange: string, line: string) => string)[] = [
  (area, exchange, line) => `+1${area}${exchange}${line}`,
  (area, exchange, line) => `${area}${exchange}${line}`,
  (area, exchange, line) => `1${area}${exchange}${line}`,
  (area, exchange, line) => `(${area}) ${exchange}-${line}`,
  (area, exchange, line) => `+1-(${area})${exchange}.${line}`,
  (area, exchange, line) => `1 ${area} ${exchange} ${line}`,
  (area, exchange, line) => `+1.${area}.${exchange}.${line}`,
];

describe('a phone number', () => {
  it('is the same in E.164, whether or not another number of its exchange was read before', () => {
    const wrong: string[] = [];
    for (let area = 200; area < 1_000; area++) {
      const exchange = digits(3, area % 11 === 0 ? 555 : area * 7_919);
      toE164(`+1${area}${exchange}${digits(4, area * 31)}`);
      for (const line of [digits(4, area * 104_729), '0100', '9999']) {
        const text = forms[(area + Number(line)) % forms.length]?.(String(area), exchange, line) ?? '';
        const number = parsePhoneNumberFromString(text, 'US');
        const expected = number?.isValid() ? number.number : null;
        if (toE164(text) !== expected) wrong.push(`${text}: ${toE164(text)} in place of ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

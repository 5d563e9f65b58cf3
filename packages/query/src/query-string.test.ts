import { Refused } from '@crm/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormText, readQueryString } from './index.ts';

describe('a query string', () => {
  it('is read into nested values', () => {
    expect(readQueryString('rank[$gt]=2&$sort[rank]=-1&tag=a&tag=b&name[$like]=%25x%25&a+b=c%20d')).toEqual({
      rank: { $gt: '2' },
      $sort: { rank: '-1' },
      tag: ['a', 'b'],
      name: { $like: '%x%' },
      'a b': 'c d',
    });
  });

  // By default the parser returns an object for more than 20 repeated values, and a filter would match nothing.
  it.each([1, 20, 21, 100, 1000])('keeps a list of %i values a list', (length) => {
    const values = Array.from({ length }, (_, index) => String(index));
    const repeated = values.map((value) => `id[$in]=${value}`).join('&');
    const bracketed = values.map((value) => `id[$in][]=${value}`).join('&');
    expect([readQueryString(repeated).id].flat()).toEqual([{ $in: length === 1 ? '0' : values }]);
    expect([readQueryString(bracketed).id].flat()).toEqual([{ $in: values }]);
  });

  it.each(['name=&name[$ne]=a', 'name[$ne]=a&name=', 'name[$ne]=a&name', 'x=1&name%5B$ne%5D=a&name='])(
    'keeps an empty value next to an operator: %s',
    (text) => {
      expect(readQueryString(text).name).toEqual(['', { $ne: 'a' }]);
    },
  );

  it.each([
    ['too deep', `a${'[b]'.repeat(50)}=1`],
    ['with too many parameters', Array.from({ length: 5000 }, (_, index) => `p${index}=1`).join('&')],
  ])('%s throws a refusal and nothing else', (_, text) => {
    expect(() => readQueryString(text)).toThrow(Refused);
  });

  it.each([
    ['%Drip%', '%Drip%'],
    ['%25Drip%25', '%Drip%'],
    ['%', '%'],
    ['100%', '100%'],
    ['%Deal%', '%Deal%'],
    ['a%20%Deal%20b+c', 'a %Deal b c'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['%C3%A9%ff', 'é%ff'],
    ['%F0%9F%8F%A1%', '🏡%'],
  ])('keeps a percent sign that starts no escape sequence: %s', (sent, meant) => {
    expect(readQueryString(`name[$like]=${sent}`)).toEqual({ name: { $like: meant } });
  });

  it.each([
    '__proto__[polluted]=1',
    'a[__proto__][polluted]=1',
    '__proto__=1',
    'x=1&%5F_proto__=1',
    '%__proto__=1&%5F_proto__=2',
  ])('with a prototype key is refused: %s', (text) => {
    expect(() => readQueryString(text)).toThrow(Refused);
  });

  it('never touches a prototype', () => {
    readQueryString('constructor[prototype][polluted]=1&a[constructor][prototype][polluted]=1');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is either read or refused, whatever it contains', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '[',
        ']',
        '=',
        '&',
        '$',
        '%',
        '%25',
        '[]',
        '[$in]',
        '__proto__',
        '0',
        'a',
        '+',
        ';',
        ',',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          expect(typeof readQueryString(pieces.join(''))).toBe('object');
        } catch (error) {
          expect(error).toBeInstanceOf(Refused);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

it('a form keeps the order of its lists, whatever their values end with', () => {
  expect(readFormText('a[]=b&a[]=YQ==&a[]=&a[]=c')).toEqual({ a: ['b', 'YQ==', '', 'c'] });
});

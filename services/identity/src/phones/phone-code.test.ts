import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, isCode, secondsToWait } from './phone-code.ts';

describe('a code', () => {
  it('has six digits, always the same ones for its row', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (key, secret) => {
        expect(codeOf(secret, { key })).toMatch(/^\d{6}$/);
        expect(codeOf(secret, { key })).toBe(codeOf(secret, { key }));
      }),
    );
  });

  it.each([
    ['its row', (name: string) => codeOf('secret', { key: name })],
    ['the secret', (name: string) => codeOf(name, { key: 'key' })],
  ])('depends on %s', (_, codeFor) => {
    const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
    expect(new Set(names.map(codeFor)).size).toBe(20);
  });

  it('is recognized with spaces and hyphens, and nothing else is', () => {
    for (const given of ['012345', ' 012 345 ', '012-345']) expect(isCode(given, '012345')).toBe(true);
    for (const given of ['012346', '12345', '0123456', '', 'O12345', '０12345'])
      expect(isCode(given, '012345')).toBe(false);
  });
});

describe('the limit of codes', () => {
  const ages = fc.array(fc.double({ min: -1, max: 90_000, noNaN: true }), { maxLength: 15 });
  const after = (seconds: number, before: readonly number[]) => before.map((age) => age + seconds);

  it('allows at most 3 within ten minutes and 10 within a day, with no longer wait than necessary', () => {
    fc.assert(
      fc.property(ages, (before) => {
        const within = (seconds: number, of: readonly number[]) => of.filter((age) => age < seconds).length;
        const isAllowed = (of: readonly number[]) => within(600, of) < 3 && within(86_400, of) < 10;
        const wait = secondsToWait(before);
        expect(wait === 0).toBe(isAllowed(before));
        expect(isAllowed(after(wait, before))).toBe(true);
        if (wait > 1) expect(isAllowed(after(wait - 1.001, before))).toBe(false);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimToken, readClaimToken } from './claim-token.ts';

const key = 'a-key-of-claim-links-for-tests-only';
const due = Date.UTC(2026, 2, 1, 9) / 1000;
const day = 86_400;
const at = (seconds: number) => new Date(seconds * 1000);
const id = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const grants = fc.record({
  lead_id: id,
  user_id: id,
  via: fc.constantFrom('Email', 'Text', 'Phone'),
}) as fc.Arbitrary<Parameters<typeof claimToken>[1]>;

describe('the token of a claim link', () => {
  it('is valid for fourteen days, for one lead, member and channel', () => {
    fc.assert(
      fc.property(grants, (grant) => {
        const token = claimToken(key, grant, due);
        expect(token).toMatch(/^[\w-]{1,80}$/);
        expect(readClaimToken(key, token, at(due))).toEqual(grant);
        expect(readClaimToken(key, token, at(due + 14 * day - 1))).toEqual(grant);
        expect(readClaimToken(key, token, at(due + 14 * day))).toBeUndefined();
      }),
    );
  });

  it('is not valid if any character is changed', () => {
    fc.assert(
      fc.property(grants, fc.nat(), fc.constantFrom(...'0aZ-_9'), (grant, index, character) => {
        const token = claimToken(key, grant, due);
        const position = index % token.length;
        const changed = token.slice(0, position) + character + token.slice(position + 1);
        fc.pre(changed !== token);
        // The last character of the seal contains unused bits, so several spellings encode the same seal.
        fc.pre(position !== token.length - 1);
        expect(readClaimToken(key, changed, at(due))).toBeUndefined();
      }),
    );
  });

  it('is not valid with another key, and neither is any other text', () => {
    const token = claimToken(
      'another-key-of-claim-links-for-tests',
      { lead_id: 1, user_id: 2, via: 'Text' },
      due,
    );
    expect(readClaimToken(key, token, at(due))).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => readClaimToken(key, text, at(due)) === undefined));
  });
});

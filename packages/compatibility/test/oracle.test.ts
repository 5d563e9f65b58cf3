import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../src/breaking-change.ts';
import { compareSchemas } from '../src/compare-schemas.ts';
import { isValid, leaf, type Pair, pair, plainValues, valuesFor } from './schema-pairs.ts';

const breaks = ([old, now]: Pair, direction: Direction) =>
  compareSchemas(
    { schema: old, document: {} },
    { schema: now, document: {} },
    { document: 'openapi', operation: 'GET /things', part: direction, field: '', direction },
  );

/** What one side sends, and what the other side expects. */
const sidesOf = ([old, now]: Pair, direction: Direction) =>
  direction === 'request' ? { sent: old, expected: now } : { sent: now, expected: old };

describe.each<Direction>(['request', 'response'])('a %s', (direction) => {
  it('without breaking changes is valid for users of the other version', () => {
    let compatible = 0;
    fc.assert(
      fc.property(pair, fc.integer(), (both, seed) => {
        if (breaks(both, direction).length > 0) return;
        compatible += 1;
        const { sent, expected } = sidesOf(both, direction);
        for (const value of fc.sample(valuesFor(sent), { numRuns: 10, seed })) {
          expect({ value, isValid: isValid(expected, value) }).toEqual({ value, isValid: true });
        }
      }),
      { numRuns: 1000 },
    );
    expect(compatible).toBeGreaterThan(100);
  });

  it('with a breaking change has a value that users of the other version do not expect', () => {
    fc.assert(
      fc.property(leaf, leaf, (old, now) => {
        const both: Pair = [old, now];
        const { sent, expected } = sidesOf(both, direction);
        const isUnexpected = plainValues.some((value) => isValid(sent, value) && !isValid(expected, value));
        expect(breaks(both, direction).length > 0).toBe(isUnexpected);
      }),
      { numRuns: 1000 },
    );
  });
});

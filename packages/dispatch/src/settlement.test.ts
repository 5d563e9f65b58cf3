import type { Outcome } from '@crm/delivery';
import { describe, expect, it } from 'vitest';
import { settlementOf } from './settlement.ts';

const attempted = { attempts: 1, seconds_late: 0 } as const;
const failed: Outcome = { outcome: 'failed', reason: 'Busy.' };
const unknown: Outcome = { outcome: 'unknown', reason: 'Broken off.' };

describe('an attempt that did not succeed', () => {
  it('is repeated after increasing delays of at most half an hour', () => {
    const waits = Array.from({ length: 8 }, (_, index) =>
      settlementOf(failed, { ...attempted, attempts: index + 1 }, true),
    ).map((settlement) => (settlement.state === 'Waiting' ? settlement.seconds : undefined));
    expect(waits).toEqual([1, 5, 30, 120, 600, 1800, 1800, 1800]);
  });

  it('is given up after a day, with the last reason', () => {
    expect(settlementOf(failed, { ...attempted, seconds_late: 24 * 3600 + 1 }, true)).toEqual({
      state: 'Failed',
      reason: 'Given up after a day. Busy.',
    });
  });

  it.each([true, false])('is not repeated after a refusal, even if it may be: %s', (may) => {
    const refused = { outcome: 'refused', reason: 'No such address.' } as const;
    expect(settlementOf(refused, attempted, may)).toEqual({ state: 'Failed', reason: 'No such address.' });
  });

  it.each([
    [failed, true, 'Waiting'],
    [failed, false, 'Waiting'],
    [unknown, true, 'Waiting'],
    [unknown, false, 'Unknown'],
  ] as const)('with outcome %o and permission to repeat %s is %s', (outcome, mayRepeat, state) => {
    expect(settlementOf(outcome, attempted, mayRepeat)).toMatchObject({
      state,
      reason: expect.stringContaining(outcome.reason),
    });
  });
});

import type { Outcome } from '@crm/delivery';
import { describe, expect, it } from 'vitest';
import { alertKinds } from './alert.queries.ts';
import { backoffSeconds, mostSecondsLate, settlementOf } from './settlement.ts';

const attempted = { kind: 'Email', attempts: 1, seconds_late: 0 } as const;
const failed: Outcome = { outcome: 'failed', reason: 'Busy.' };
const unknown: Outcome = { outcome: 'unknown', reason: 'Broken off.' };

describe('an attempt that did not succeed', () => {
  it('is made again after a wait that grows and stays within half an hour', () => {
    const waits = Array.from({ length: 8 }, (_, place) =>
      settlementOf(failed, { ...attempted, attempts: place + 1 }, true),
    ).map((settlement) => (settlement.state === 'Waiting' ? settlement.seconds : undefined));
    expect(waits).toEqual([...backoffSeconds, 1800, 1800]);
  });

  it('is given up after a day, with the last reason', () => {
    expect(settlementOf(failed, { ...attempted, seconds_late: mostSecondsLate + 1 }, true)).toEqual({
      state: 'Failed',
      reason: 'Given up after a day. Busy.',
    });
  });

  it.each(alertKinds)('by %s and refused for good is not made again', (kind) => {
    const refused = { outcome: 'refused', reason: 'No such address.' } as const;
    expect(settlementOf(refused, { ...attempted, kind }, true)).toEqual({
      state: 'Failed',
      reason: 'No such address.',
    });
  });

  it.each([
    ['Email', false, 'Waiting'],
    ['Email', true, 'Waiting'],
    ['Text', false, 'Failed'],
    ['Text', true, 'Waiting'],
    ['Phone', false, 'Failed'],
    ['Phone', true, 'Waiting'],
  ] as const)(
    'by %s without an answer, from a provider that honours keys: %s, is %s',
    (kind, honours, state) => {
      expect(settlementOf(unknown, { ...attempted, kind }, honours)).toMatchObject({
        state,
        reason: expect.stringContaining('Broken off.'),
      });
    },
  );
});

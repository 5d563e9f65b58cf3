import { readRule } from '@crm/recurrence';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { continueSeries } from './continue-series.ts';
import { maxOpen, planOccurrences } from './plan-occurrences.ts';

const zone = 'America/New_York';
const now = Temporal.Instant.from('2026-03-02T12:00:00Z');
const start = Temporal.PlainDateTime.from('2026-03-02T09:00');

function recurrenceOf(text: string, at = start) {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  return { rule, start: at, zone };
}

afterEach(() => vi.restoreAllMocks());

/** Counts the times that are converted to moments; each occurrence that is computed takes at most three. */
function watchTimes() {
  const spy = vi.spyOn(Temporal.PlainDateTime.prototype, 'toZonedDateTime');
  return () => spy.mock.calls.length;
}

const sparse = [
  ['FREQ=YEARLY', 2],
  ['FREQ=YEARLY;BYWEEKNO=20', 2],
  ['FREQ=MONTHLY', 24],
  ['FREQ=MONTHLY;BYDAY=-1FR', 24],
  ['FREQ=WEEKLY', 105],
  ['FREQ=DAILY', maxOpen],
] as const;

describe('the plan of a series', () => {
  it.each(sparse)('%s computes no occurrences after the first one that is not created', (text, created) => {
    const times = watchTimes();
    const { added, nextIndex, extendAt } = planOccurrences(recurrenceOf(text), 0, 0, now);
    expect([added.length, nextIndex, extendAt === null]).toEqual([created, created, false]);
    expect(times()).toBeLessThanOrEqual(3 * (created + 1));
  });

  it('has its first occurrence, however far ahead, and is extended when the second one comes into view', () => {
    const times = watchTimes();
    const plan = planOccurrences(
      recurrenceOf('FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', start.with({ year: 2024 })),
      0,
      0,
      now,
    );
    expect(plan.added.map(({ local }) => local.year)).toEqual([2028]);
    expect(plan.extendAt?.toString()).toBe('2030-03-01T14:00:00Z');
    expect(times()).toBeLessThanOrEqual(10);
  });

  it('adds nothing while too many are open, and asks again a day later', () => {
    const plan = planOccurrences(recurrenceOf('FREQ=DAILY'), maxOpen, maxOpen, now);
    expect(plan).toEqual({ added: [], nextIndex: maxOpen, extendAt: now.add({ hours: 24 }) });
  });
});

describe('the continuation of a series', () => {
  it.each(sparse)('%s computes no occurrences after the first one that is not created', (text, created) => {
    const series = { ...recurrenceOf('FREQ=DAILY;COUNT=3'), nextIndex: 3 };
    const existing = [0, 1, 2].map((index) => ({ id: index + 1, index, isOpen: true }));
    const times = watchTimes();
    const plan = continueSeries(series, 0, existing, recurrenceOf(text), now);
    expect(plan?.next.nextIndex).toBe(created);
    expect(times()).toBeLessThanOrEqual(3 * (created + 1));
  });
});

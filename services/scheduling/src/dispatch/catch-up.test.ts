import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catchUp, type Missed } from './catch-up.ts';

const zone = 'America/New_York';
const now = Temporal.Instant.from('2026-07-15T14:00:00Z'); // 10:00 in local time.
const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant();
const localOf = (instant: Temporal.Instant, timezone = zone) =>
  instant.toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: 'minute' });

const missed = (id: number, local: string, more: Partial<Missed> = {}): Missed => ({
  id,
  first_send_at: at(local),
  send_at: at(local),
  timezone: zone,
  isLate: true,
  ...more,
});
const moved = (messages: readonly Missed[], lastDay?: Temporal.PlainDate) =>
  catchUp(messages, lastDay, now).map((move) =>
    'send_at' in move ? [move.id, localOf(move.send_at)] : [move.id],
  );

describe('a missed message', () => {
  it('is sent at its time of day, today if that is in the future, otherwise tomorrow', () => {
    expect(moved([missed(1, '2026-07-14T18:30')])).toEqual([[1, '2026-07-15T18:30']]);
    expect(moved([missed(1, '2026-07-15T08:00')])).toEqual([[1, '2026-07-16T08:00']]);
  });

  it('keeps its time of day when the clocks change in between', () => {
    const later = Temporal.Instant.from('2026-11-01T20:00:00Z');
    const [move] = catchUp([missed(1, '2026-10-31T09:00')], undefined, later);
    expect(move && 'send_at' in move && localOf(move.send_at)).toBe('2026-11-02T09:00');
  });

  it('is sent with others at one a day, in their original order', () => {
    const three = [
      missed(3, '2026-07-14T18:00'),
      missed(1, '2026-07-12T09:00'),
      missed(2, '2026-07-13T09:00'),
    ];
    expect(moved(three)).toEqual([
      [1, '2026-07-16T09:00'],
      [2, '2026-07-17T09:00'],
      [3, '2026-07-18T18:00'],
    ]);
  });

  it('is not sent on a day that had one, and delays later ones when it is missed again', () => {
    expect(moved([missed(1, '2026-07-14T18:30')], Temporal.PlainDate.from('2026-07-15'))).toEqual([
      [1, '2026-07-16T18:30'],
    ]);
    const again = [
      missed(1, '2026-07-13T09:00', { send_at: at('2026-07-15T08:00') }),
      missed(2, '2026-07-14T09:00', { send_at: at('2026-07-16T09:00'), isLate: false }),
      missed(3, '2026-07-14T10:00', { send_at: at('2026-07-20T10:00'), isLate: false }),
    ];
    expect(moved(again)).toEqual([
      [1, '2026-07-16T09:00'],
      [2, '2026-07-17T09:00'],
    ]);
  });

  it('is given up after two weeks', () => {
    expect(moved([missed(1, '2026-07-01T09:59'), missed(2, '2026-07-01T10:01')])).toEqual([
      [1],
      [2, '2026-07-15T10:01'],
    ]);
  });
});

describe('any number of missed messages', () => {
  const someZone = fc.constantFrom(
    'America/New_York',
    'Europe/London',
    'Asia/Kolkata',
    'UTC',
    'Australia/Lord_Howe',
  );
  const some = fc.array(fc.integer({ min: 61, max: 25 * 24 * 60 }), { maxLength: 12 });
  const moments = fc.integer({ min: 0, max: 525_600 });

  it('are moved as in a search day by day, whatever the zone and the hour', () => {
    fc.assert(
      fc.property(some, someZone, moments, (minutesLate, timezone, minute) => {
        const present = Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: minute });
        const messages = minutesLate.map((minutes, id): Missed => {
          const instant = present.subtract({ minutes });
          return { id, first_send_at: instant, send_at: instant, timezone, isLate: true };
        });
        expect(shown(catchUp(messages, undefined, present))).toEqual(shown(oneByOne(messages, present)));
      }),
    );
  });

  const shown = (moves: readonly object[]) => moves.map((move) => JSON.stringify(move)).toSorted();

  /** Goes through the days from today on, and assigns each to the next message whose time is in the future. */
  function oneByOne(messages: readonly Missed[], present: Temporal.Instant): object[] {
    const age = ({ first_send_at }: Missed) => present.since(first_send_at).total('hours');
    const line = messages
      .filter((one) => age(one) <= 14 * 24)
      .toSorted((a, b) => age(b) - age(a) || a.id - b.id);
    const moves: object[] = messages
      .filter((one) => age(one) > 14 * 24)
      .map(({ id }) => ({ id, isGivenUp: true }));
    const [any] = messages;
    for (let ahead = 0; any && line.length > 0; ahead++) {
      const [next] = line;
      const day = present.toZonedDateTimeISO(any.timezone).toPlainDate().add({ days: ahead });
      const local = next?.first_send_at.toZonedDateTimeISO(any.timezone).toPlainTime();
      const send_at = day.toZonedDateTime({ timeZone: any.timezone, plainTime: local }).toInstant();
      if (!next || Temporal.Instant.compare(send_at, present) <= 0) continue;
      moves.push({ id: next.id, send_at });
      line.shift();
    }
    return moves;
  }
});

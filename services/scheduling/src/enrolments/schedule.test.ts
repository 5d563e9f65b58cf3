import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from './schedule.ts';
import type { Action } from './when-of.ts';

const base: Action = {
  id: 1,
  type: 'Email Contact',
  assigned_user_id: null,
  timing_type: 'Delay by Minutes',
  recurrence: null,
  event_trigger_type: '1',
  delay_by_seconds: null,
  delay_by_days: null,
  dispatch_time: null,
  dispatch_datetime: null,
  notes: null,
  is_stopped_on_text_reply: false,
  template: null,
};
const reminder = { type: 'Agent Task - Call Reminder' } as const;
const onDay = (delay_by_days: number, dispatch_time: string) =>
  ({ timing_type: 'Delay by Day and Time', delay_by_days, dispatch_time }) as const;
const every = (recurrence: string, delay_by_days: number, dispatch_time: string) =>
  ({ ...reminder, timing_type: 'Recurring', recurrence, delay_by_days, dispatch_time }) as const;
const onBirthday = { event_trigger_type: '2' } as const;

interface Facts {
  readonly start?: string;
  readonly zone?: string;
  readonly birthday?: string | null;
}

/** What becomes of one action: a moment, or why there is none. */
function happens(
  action: Partial<Action>,
  { start = '2026-03-02T18:00:00Z', zone = 'America/New_York', birthday = null }: Facts = {},
): string {
  const from = Temporal.Instant.from(start);
  const { communications, tasks, skipped } = schedule([{ ...base, ...action }], from, { birthday }, zone);
  expect(communications.length + tasks.length + skipped.length).toBe(1);
  const moment = communications[0]?.send_at ?? tasks[0]?.first.instant;
  return moment?.toString() ?? skipped[0]?.reason ?? '';
}

describe('what a campaign schedules', () => {
  it('comes some seconds after the start, over a change of clocks as well', () => {
    expect(happens({ delay_by_seconds: 90 })).toBe('2026-03-02T18:01:30Z');
    expect(happens({ delay_by_seconds: 86_400 }, { start: '2026-03-07T18:00:00Z' })).toBe(
      '2026-03-08T18:00:00Z',
    );
  });

  it('comes some days after the day of the start on the local, at its time on the local', () => {
    expect(happens(onDay(1, '09:00:00'))).toBe('2026-03-03T14:00:00Z');
    expect(happens(onDay(7, '09:00:00'))).toBe('2026-03-09T13:00:00Z');
    // In UTC it is a day later already.
    expect(happens(onDay(1, '23:00:00'), { start: '2026-03-03T02:00:00Z' })).toBe('2026-03-04T04:00:00Z');
  });

  it('comes on the day of the start, or the day after where its time is over, and never at another time', () => {
    expect(happens(onDay(0, '13:00:00'))).toBe('2026-03-02T18:00:00Z');
    expect(happens(onDay(0, '12:59:59'))).toBe('2026-03-03T17:59:59Z');
  });

  it('moves forward where the clocks skip its time, and comes at the first of two', () => {
    expect(happens(onDay(6, '02:30:00'))).toBe('2026-03-08T07:30:00Z');
    expect(happens(onDay(1, '01:30:00'), { start: '2026-10-31T12:00:00Z' })).toBe('2026-11-01T05:30:00Z');
    // The day that Samoa left out.
    const apia = { start: '2011-12-29T20:00:00Z', zone: 'Pacific/Apia' };
    expect(happens(onDay(1, '09:00:00'), apia)).toBe('2011-12-30T19:00:00Z');
  });

  it('comes at an exact moment, whatever the trigger, unless that was before the start', () => {
    const exact = { timing_type: 'Exact Date and Time' } as const;
    expect(happens({ ...exact, dispatch_datetime: '2026-03-02T18:00:00.000Z' })).toBe('2026-03-02T18:00:00Z');
    expect(happens({ ...exact, ...onBirthday, dispatch_datetime: '2026-04-01T00:00:00.000Z' })).toBe(
      '2026-04-01T00:00:00Z',
    );
    expect(happens({ ...exact, dispatch_datetime: '2026-03-02T17:59:59.999Z' })).toBe(
      'It was for a moment before the start.',
    );
  });

  it('comes on the next birthday, today’s included while its time is ahead', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine, { birthday: '1980-07-04' })).toBe('2026-07-04T13:00:00Z');
    expect(happens(nine, { birthday: '1980-02-04' })).toBe('2027-02-04T14:00:00Z');
    expect(happens({ ...nine, dispatch_time: '13:00:00' }, { birthday: '03/02/1980' })).toBe(
      '2026-03-02T18:00:00Z',
    );
    expect(happens(nine, { birthday: '03/02/1980' })).toBe('2027-03-02T14:00:00Z');
    expect(happens({ ...nine, delay_by_days: 3 }, { birthday: '1980-03-01' })).toBe('2027-03-04T14:00:00Z');
  });

  it('counts minutes of a birthday from the midnight at which it begins', () => {
    expect(happens({ ...onBirthday, delay_by_seconds: 3600 }, { birthday: '07-04' })).toBe(
      '2026-07-04T05:00:00Z',
    );
    expect(happens({ ...onBirthday, delay_by_seconds: 3600 }, { birthday: '03-02' })).toBe(
      '2027-03-02T06:00:00Z',
    );
  });

  it('takes 28 February for a birthday on the 29th, except in leap years', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine, { birthday: '1980-02-29' })).toBe('2027-02-28T14:00:00Z');
    expect(happens(nine, { birthday: 'Feb 29', start: '2027-12-01T00:00:00Z' })).toBe('2028-02-29T14:00:00Z');
  });

  it('is nothing without a birthday that can be read', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine)).toBe('The contact has no birthday.');
    expect(happens(nine, { birthday: ' ' })).toBe('The contact has no birthday.');
    expect(happens(nine, { birthday: '05.06.1980' })).toBe(
      'The birthday of the contact cannot be read as one day of the year.',
    );
  });

  it('recurs from its first time on, which is no earlier than the start', () => {
    const start = Temporal.Instant.from('2026-03-02T18:00:00Z');
    const of = (action: Partial<Action>, birthday: string | null = null) => {
      const { tasks } = schedule([{ ...base, ...action }], start, { birthday }, 'America/New_York');
      return tasks.map(({ first, recurrence }) => [String(recurrence?.start), String(first.local)])[0];
    };
    expect(of(every('FREQ=DAILY', 0, '09:00:00'))).toEqual(['2026-03-03T09:00:00', '2026-03-03T09:00:00']);
    expect(of(every('FREQ=WEEKLY;BYDAY=FR', 3, '09:00:00'))).toEqual([
      '2026-03-05T09:00:00',
      '2026-03-06T09:00:00',
    ]);
    expect(of({ ...every('FREQ=YEARLY', 0, '09:00:00'), ...onBirthday }, '1980-07-04')).toEqual([
      '2026-07-04T09:00:00',
      '2026-07-04T09:00:00',
    ]);
  });

  it('tells of a rule that comes to nothing, and of a message that should recur', () => {
    expect(happens(every('FREQ=DAILY;UNTIL=20200101', 0, '09:00:00'))).toBe(
      'Its recurrence rule is never reached from its start on.',
    );
    expect(happens(every('FREQ=HOURLY', 0, '09:00:00'))).toMatch(
      /^Its recurrence rule FREQ must be one of .*\.$/,
    );
    expect(happens({ ...every('FREQ=DAILY', 0, '09:00:00'), type: 'Text Contact' })).toBe(
      'Only tasks recur.',
    );
  });

  it('is nothing where no time is said, or one beyond all calendars', () => {
    const { timing_type } = onDay(0, '');
    for (const action of [
      {},
      { timing_type },
      { timing_type, delay_by_days: 1 },
      { timing_type: 'Exact Date and Time' },
      { ...every('', 1, '09:00:00'), recurrence: null },
    ] as const)
      expect(happens(action)).toBe('It does not say when.');
    for (const action of [
      onDay(2_147_483_647, '09:00:00'),
      { ...onBirthday, ...onDay(3_700_000, '09:00:00') },
      every('FREQ=DAILY', 2_600_000, '09:00:00'),
    ])
      expect(happens(action, { birthday: '05-06' })).toBe('It is for a time that no calendar here reaches.');
  });
});

/** The same, told by walking through days and by asking Intl what the walls show; nothing of it is Temporal. */
const model = {
  localAt(ms: number, zone: string): number {
    const parts = Object.fromEntries(
      formatterOf(zone)
        .formatToParts(ms)
        .map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  },

  /** The earliest moment at which a wall shows it; where none does, the moment by the offset before. */
  momentOf(local: number, zone: string): number {
    const offsets = [-30, -24, -18, -12, -6, 0, 6, 12, 18, 24, 30].map((hours) => {
      const ms = local + hours * 3_600_000;
      return model.localAt(ms, zone) - ms;
    });
    const [before = 0] = offsets;
    const moments = offsets.map((offset) => local - offset).toSorted((a, b) => a - b);
    return moments.find((ms) => model.localAt(ms, zone) === local) ?? local - before;
  },

  scheduled(action: Action, start: number, zone: string, birthday: readonly [number, number]): number {
    const today = Math.floor(model.localAt(start, zone) / day) * day;
    const time = timeOf(action.dispatch_time ?? '00:00:00');
    const days = (action.delay_by_days ?? 0) * day;
    const seconds = (action.delay_by_seconds ?? 0) * 1000;
    if (action.timing_type === 'Delay by Minutes' && action.event_trigger_type === '1')
      return start + seconds;
    for (let one = today; ; one += day) {
      if (action.event_trigger_type === '2' && !isBirthday(new Date(one), birthday)) continue;
      const moment =
        action.timing_type === 'Delay by Minutes'
          ? model.momentOf(one, zone) + seconds
          : model.momentOf(one + days + time, zone);
      if (moment >= start) return moment;
    }
  },
};

const day = 86_400_000;
const timeOf = (text: string) => Date.parse(`1970-01-01T${text}Z`);

function isBirthday(date: Date, [month, of]: readonly [number, number]): boolean {
  const year = date.getUTCFullYear();
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
  const wanted = month === 2 && of === 29 && !isLeap ? 28 : of;
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === wanted;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}

const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Havana',
  'America/Sao_Paulo',
  'America/St_Johns',
  // Its clocks went back a minute after midnight, into the day before.
  'America/Goose_Bay',
  'Europe/London',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];

const changes: Readonly<Record<string, readonly string[]>> = {
  'America/New_York': ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z'],
  'America/Havana': ['2026-03-08T05:00:00Z', '2026-11-01T05:00:00Z'],
  'America/Sao_Paulo': ['2018-11-04T03:00:00Z', '2019-02-17T02:00:00Z'],
  'America/Goose_Bay': ['2010-03-14T04:01:00Z', '2010-11-07T03:01:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00:00Z'],
};

/** A start near a change of clocks, or anywhere in some decades. */
const place = fc.constantFrom(...zones).chain((zone) => {
  const near = (changes[zone] ?? []).map(Date.parse);
  const anywhere = fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2037, 0) });
  const close = fc
    .tuple(fc.constantFrom(...near, 0), fc.integer({ min: -3 * day, max: day }))
    .map(([change, offset]) => change + offset);
  return fc.record({
    zone: fc.constant(zone),
    start:
      near.length > 0
        ? fc.oneof(
            anywhere,
            close.filter((ms) => ms > day * 3650),
          )
        : anywhere,
  });
});

const clock = fc.oneof(
  fc.constantFrom(
    '00:00:00',
    '00:00:30',
    '00:30:00',
    '01:30:00',
    '02:00:00',
    '02:30:00',
    '23:30:00',
    '23:59:59',
  ),
  fc.integer({ min: 0, max: 86_399 }).map((at) => new Date(at * 1000).toISOString().slice(11, 19)),
);

const timing = fc.oneof(
  fc.record({
    timing_type: fc.constant('Delay by Minutes' as const),
    delay_by_seconds: fc.oneof(fc.nat(100), fc.nat(400 * 86_400)),
  }),
  fc.record({
    timing_type: fc.constant('Delay by Day and Time' as const),
    delay_by_days: fc.oneof(fc.nat(3), fc.nat(900)),
    dispatch_time: clock,
  }),
);

const born = fc.oneof(
  fc.constant([2, 29] as const),
  fc.integer({ min: 0, max: 364 }).map((at) => {
    const date = new Date(Date.UTC(2026, 0, 1) + at * day);
    return [date.getUTCMonth() + 1, date.getUTCDate()] as const;
  }),
);

describe('a schedule, in every zone and over every change of clocks', () => {
  it('is what walking through the days comes to', () => {
    fc.assert(
      fc.property(
        place,
        timing,
        fc.constantFrom('1' as const, '2' as const),
        born,
        ({ zone, start }, how, event_trigger_type, birthday) => {
          const action = { ...base, ...how, event_trigger_type };
          const written = `--${birthday.map((part) => String(part).padStart(2, '0')).join('-')}`;
          const told = happens(action, { start: new Date(start).toISOString(), zone, birthday: written });
          const expected = new Date(model.scheduled(action, start, zone, birthday)).toISOString();
          expect(new Date(told).toISOString()).toBe(expected);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('lets a task recur from the day on which the same task would come once', () => {
    fc.assert(
      fc.property(
        place,
        fc.nat(400),
        clock,
        fc.integer({ min: 1, max: 40 }),
        ({ zone, start }, days, time, n) => {
          const from = Temporal.Instant.fromEpochMilliseconds(start);
          const actions = [
            { ...base, ...every(`FREQ=DAILY;INTERVAL=${n}`, days, time) },
            { ...base, ...reminder, ...onDay(days, time) },
          ];
          const [recurring, once] = schedule(actions, from, { birthday: null }, zone).tasks;
          if (!recurring?.recurrence || !once) throw new Error('Both are scheduled.');
          const shown = Temporal.PlainTime.from(time);
          expect(recurring.recurrence.start.toPlainTime().equals(shown)).toBe(true);
          expect(
            recurring.recurrence.start.toZonedDateTime(zone).toInstant().equals(once.first.instant),
          ).toBe(true);
          // It never happens at another time, and so not at all on a day that skips it, or that is skipped itself.
          expect(recurring.first.local.toPlainTime().equals(shown)).toBe(true);
          const later = recurring.recurrence.start.until(recurring.first.local, { largestUnit: 'day' }).days;
          expect(later === 0 || (later === n && !once.first.local.equals(recurring.recurrence.start))).toBe(
            true,
          );
        },
      ),
      {
        numRuns: 500,
        // In Samoa the whole of 30 December 2011 was skipped.
        examples: [[{ zone: 'Pacific/Apia', start: 1_325_066_399_999 }, 3, '00:00:00', 1]],
      },
    );
  });

  it('never comes before the start', () => {
    fc.assert(
      fc.property(
        place,
        timing,
        fc.constantFrom('1' as const, '2' as const),
        ({ zone, start }, how, trigger) => {
          const iso = new Date(start).toISOString();
          const told = happens(
            { ...how, event_trigger_type: trigger },
            { start: iso, zone, birthday: '02-29' },
          );
          expect(Date.parse(told)).toBeGreaterThanOrEqual(start);
        },
      ),
    );
  });
});

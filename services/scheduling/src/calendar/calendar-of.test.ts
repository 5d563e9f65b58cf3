import fc from 'fast-check';
import type ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { at, occurrencesOf, plain, read, seriesOf, textOf } from '../../test/calendar.ts';

describe('a calendar', () => {
  it('shows a task at its local time in its zone, with its notes and its alarm', () => {
    const { events } = read(
      textOf({ tasks: [{ ...plain, notes: 'At 5; not\n6', reminds: true }], series: [] }),
    );
    const [event] = events;
    expect(events).toHaveLength(1);
    expect(event?.startDate.toJSDate().toISOString()).toBe('2026-03-07T14:00:00.000Z');
    expect(event?.startDate.toString()).toBe('2026-03-07T09:00:00');
    expect([event?.summary, event?.description]).toEqual(['Call the Does', 'Call the Does\n\nAt 5; not\n6']);
    const alarm = event?.component.getFirstSubcomponent('valarm');
    expect(alarm?.getFirstPropertyValue('trigger')?.toString()).toBe('PT0S');
  });

  it('shows an all-day task as a day, with an alarm in the morning', () => {
    const { events } = read(textOf({ tasks: [{ ...plain, is_all_day: true, reminds: true }], series: [] }));
    expect(events[0]?.startDate.isDate).toBe(true);
    expect(events[0]?.startDate.toString()).toBe('2026-03-07');
    const alarm = events[0]?.component.getFirstSubcomponent('valarm');
    expect(alarm?.getFirstPropertyValue('trigger')?.toString()).toBe('PT8H');
  });

  it('shows a task without a due time as a to-do, and no tasks as an empty calendar', () => {
    const { events, todos } = read(textOf({ tasks: [{ ...plain, due_local: null }], series: [] }));
    expect([events.length, todos.map((one) => one.getFirstPropertyValue('summary'))]).toEqual([
      0,
      ['Call the Does'],
    ]);
    expect(read(textOf({ tasks: [], series: [] }))).toMatchObject({ events: [], todos: [] });
  });

  it('shows a recurring task once, with its rule, at the same local time across both clock changes', () => {
    const series = seriesOf('FREQ=WEEKLY', '2026-03-01T09:00:00');
    const tasks = ['2026-03-01', '2026-03-08', '2026-03-15', '2026-03-22'].map((day, index) =>
      at(index, `${day}T09:00:00`),
    );
    const { events } = read(textOf({ tasks, series: [series] }));
    expect(events).toHaveLength(1);
    const year = occurrencesOf(events[0] as ICAL.Event, 40).map(([time]) => time);
    expect(year.slice(0, 2)).toEqual(['2026-03-01T14:00:00.000Z', '2026-03-08T13:00:00.000Z']);
    expect(year.slice(34, 36)).toEqual(['2026-10-25T13:00:00.000Z', '2026-11-01T14:00:00.000Z']);
  });

  it('starts a recurring task with its first open occurrence, omits closed ones, and shows changed ones', () => {
    const series = seriesOf('FREQ=DAILY;COUNT=6', '2026-06-01T09:00:00');
    const tasks = [
      at(1, '2026-06-02T09:00:00'),
      at(3, '2026-06-04T15:30:00', { description: 'Later that day' }),
    ];
    const { events } = read(textOf({ tasks, series: [series] }));
    expect(events).toHaveLength(1);
    expect(occurrencesOf(events[0] as ICAL.Event, 10)).toEqual([
      ['2026-06-02T13:00:00.000Z', 'Call the Does'],
      ['2026-06-04T19:30:00.000Z', 'Later that day'],
      ['2026-06-05T13:00:00.000Z', 'Call the Does'],
      ['2026-06-06T13:00:00.000Z', 'Call the Does'],
    ]);
  });

  it.each([
    ['FREQ=DAILY;UNTIL=20260603', 3],
    ['FREQ=DAILY;UNTIL=20260603T085959', 2],
    ['FREQ=DAILY;UNTIL=20260603T130000Z', 3],
    ['FREQ=DAILY;UNTIL=20260603T125959Z', 2],
  ])('ends %s where the series ends', (rule, days) => {
    const tasks = Array.from({ length: days }, (_, index) => at(index, `2026-06-0${index + 1}T09:00:00`));
    const series = { ...seriesOf(rule, '2026-06-01T09:00:00'), nextIndex: days };
    const { events } = read(textOf({ tasks, series: [series] }));
    expect(occurrencesOf(events[0] as ICAL.Event, 10)).toHaveLength(days);
  });

  it('ends a series of all-day tasks on its last day', () => {
    const facts = { is_all_day: true };
    const series = seriesOf('FREQ=DAILY;UNTIL=20260604T035959Z', '2026-06-01T00:00:00', facts);
    const tasks = [1, 2, 3].map((day) => at(day - 1, `2026-06-0${day}T00:00:00`, facts));
    const { events } = read(textOf({ tasks, series: [{ ...series, nextIndex: 3 }] }));
    expect(occurrencesOf(events[0] as ICAL.Event, 10)).toHaveLength(3);
  });

  it('shows no day of all-day tasks whose occurrence would be after the end of the series', () => {
    const until = 'RRULE:FREQ=DAILY;UNTIL=20260309T125959Z';
    const facts = { is_all_day: true };
    const series = [{ ...seriesOf(until, '2026-03-07T09:00', facts), nextIndex: 1 }];
    const [event] = read(textOf({ tasks: [at(0, '2026-03-07T09:00', facts)], series })).events;
    const days = event ? occurrencesOf(event, 9).map(([day]) => day.slice(0, 10)) : [];
    expect(days).toEqual(['2026-03-07', '2026-03-08']);
  });

  it('shows an occurrence without a due time as a separate to-do, and not at its former time', () => {
    const series = [seriesOf('RRULE:FREQ=DAILY;COUNT=3', '2026-03-10T09:00')];
    const tasks = [
      at(0, '2026-03-10T09:00'),
      at(1, '2026-03-11T09:00', { due_local: null }),
      at(2, '2026-03-12T09:00'),
    ];
    const { events, todos } = read(textOf({ tasks, series }));
    const [event] = events;
    expect(event ? occurrencesOf(event, 9).map(([moment]) => moment.slice(0, 10)) : []).toEqual([
      '2026-03-10',
      '2026-03-12',
    ]);
    expect(todos.map((todo) => todo.getFirstPropertyValue('uid'))).toEqual(['task-101@crm']);
  });

  it('is valid and contains the texts of its tasks, whatever they are', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
    const hostile = fc.array(
      fc.constantFrom(
        '\r\n',
        '\n',
        'END:VEVENT',
        ';',
        ',',
        '\\',
        ':',
        '"',
        '\u0000',
        '🏡',
        'é',
        'x'.repeat(70),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        text,
        fc.option(
          fc.oneof(
            text,
            hostile.map((parts) => parts.join('')),
          ),
        ),
        (description, notes) => {
          const written = textOf({ tasks: [{ ...plain, description, notes }], series: [] });
          for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          const { calendar, events } = read(written);
          expect(calendar.getAllSubcomponents()).toHaveLength(2);
          const expected = [description.trim(), notes?.trim()].filter(Boolean).join('\n\n');
          expect(events[0]?.description ?? '').toBe(
            expected.replace(/\r\n?/g, '\n').replace(/[\p{Cc}--[\n\t]]/gv, ''),
          );
        },
      ),
    );
  });

  describe('of a task that is due in some thousand years', () => {
    const far = Temporal.PlainDateTime.from('9990-07-01T09:00:00');
    const moment = far.toZonedDateTime(plain.timezone).toInstant().toString({ fractionalSecondDigits: 3 });
    const rule = 'FREQ=DAILY';
    const changesIn = (text: string) => text.match(/^BEGIN:(DAYLIGHT|STANDARD)/gm)?.length ?? 0;
    const usual = changesIn(textOf({ tasks: [plain], series: [] }));
    const tasks = [plain, { ...plain, id: 2, scheduled_event_id: 2, due_local: far }];

    it('describes no more clock changes, and keeps its moment', () => {
      const text = textOf({ tasks, series: [] });
      expect(changesIn(text)).toBe(usual);
      expect(text).toContain('DTSTART:99900701T130000Z');
      expect(read(text).events.map(({ startDate }) => startDate.toJSDate().toISOString())).toEqual([
        '2026-03-07T14:00:00.000Z',
        moment,
      ]);
    });

    it('contains the occurrence that was moved there, in its series', () => {
      const moved = [at(0, '2026-03-07T09:00:00'), at(1, far.toString())];
      const text = textOf({
        tasks: moved,
        series: [{ ...seriesOf(rule, '2026-03-07T09:00:00'), nextIndex: 2 }],
      });
      expect(changesIn(text)).toBe(usual);
      const { events } = read(text);
      expect(events).toHaveLength(1);
      expect(events[0] && occurrencesOf(events[0], 2)).toEqual([
        ['2026-03-07T14:00:00.000Z', plain.description],
        [moment, plain.description],
      ]);
    });

    it('contains the occurrences of a series that starts there', () => {
      const text = textOf({
        tasks: [plain, at(0, far.toString())],
        series: [{ ...seriesOf(rule, far.toString()), nextIndex: 1 }],
      });
      expect(changesIn(text)).toBe(usual);
      expect(read(text).events.map(({ startDate }) => startDate.toJSDate().toISOString())).toContain(moment);
    });
  });
});

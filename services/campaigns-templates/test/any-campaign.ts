import { agentTaskTypes, communicationTypes } from '@crm/scheduling/api';
import fc from 'fast-check';

const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const days = fc.oneof(fc.nat(3), fc.nat(800));

/** Includes times around daylight saving changes. */
export const anyMoment = fc.oneof(
  fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2028-12-31T00:00:00Z'),
    noInvalidDate: true,
  }),
  fc
    .constantFrom('2026-03-08T09:59:59Z', '2026-10-25T00:30:00Z', '2028-02-29T12:00:00Z')
    .map((at) => new Date(at)),
);

export const anyZone = fc.constantFrom(
  'UTC',
  'America/Los_Angeles',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
);

export const anyBirthday = fc.constantFrom(
  null,
  '1980-02-29',
  '05/31/1990',
  'December 31',
  '1999-10-25',
  'in spring',
);

const rules = ['FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=DAILY;COUNT=3', 'FREQ=MONTHLY;BYMONTHDAY=31', 'FREQ=YEARLY'];

const timing = fc.oneof(
  fc.record({
    timing_type: fc.constant('Delay by Minutes' as const),
    delay_by_seconds: fc.oneof(fc.nat(100), fc.nat(100_000_000)),
  }),
  fc.record({
    timing_type: fc.constant('Delay by Day and Time' as const),
    delay_by_days: days,
    dispatch_time: time,
  }),
  fc.record({
    timing_type: fc.constant('Exact Date and Time' as const),
    dispatch_datetime: anyMoment.map((moment) => moment.toISOString()),
  }),
);

const recurring = fc.record({
  timing_type: fc.constant('Recurring' as const),
  delay_by_days: days,
  dispatch_time: time,
  recurrence: fc.constantFrom(...rules),
});

const common = {
  event_trigger_type: fc.constantFrom('1' as const, '2' as const),
  assignee: fc.constantFrom('nobody' as const, 'self' as const, 'colleague' as const),
};

const communication = fc
  .record({ ...common, type: fc.constantFrom(...communicationTypes), withTemplate: fc.boolean() })
  .chain((draft) => timing.map((when) => ({ ...draft, ...when })));

const task = fc
  .record({
    ...common,
    type: fc.constantFrom(...agentTaskTypes),
    withTemplate: fc.constant(false),
    notes: fc.constantFrom(null, 'Ring twice'),
  })
  .chain((draft) => fc.oneof(timing, recurring).map((when) => ({ ...draft, ...when })));

/** An action of any type and timing, as a client would send it. */
export const anyAction = fc.oneof(communication, task);

export type DraftAction = typeof anyAction extends fc.Arbitrary<infer Draft> ? Draft : never;

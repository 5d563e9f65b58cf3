import { describe, expect, it } from 'vitest';
import { clockChanges, instantOf, isSkipped, localIn } from './local-time.ts';

const moment = (local: string, zone: string) =>
  instantOf(Temporal.PlainDateTime.from(local), zone).toString();

describe('a local time', () => {
  it.each([
    ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00Z', '2027-03-14T03:30:00'],
    ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00Z', '2027-03-28T03:30:00'],
    ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00Z', '2027-10-03T02:45:00'],
    ['America/Havana', '2027-03-14T00:30', '2027-03-14T05:30:00Z', '2027-03-14T01:30:00'],
    ['Pacific/Apia', '2011-12-30T09:00', '2011-12-30T19:00:00Z', '2011-12-31T09:00:00'],
    ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:30:00Z', '2026-09-06T01:30:00'],
  ])('in %s that clocks skip, %s, moves forward', (zone, local, instant, shown) => {
    expect(moment(local, zone)).toBe(instant);
    expect(localIn(Temporal.Instant.from(instant), zone).toString()).toBe(shown);
  });

  it.each([
    ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00Z'],
    ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00Z'],
    ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00Z'],
  ])('in %s that occurs twice, %s, is the earlier one', (zone, local, instant) => {
    expect(moment(local, zone)).toBe(instant);
  });

  it.each([
    ['Asia/Kolkata', '2027-01-01T09:00', '2027-01-01T03:30:00Z'],
    ['Asia/Kathmandu', '2027-01-01T09:00', '2027-01-01T03:15:00Z'],
    ['UTC', '2027-01-01T09:00', '2027-01-01T09:00:00Z'],
  ])('in %s, where clocks never change, is %s', (zone, local, instant) => {
    expect(moment(local, zone)).toBe(instant);
  });
});

it.each([
  ['Europe/Berlin', '2027-01-01', '02:30'],
  ['Australia/Lord_Howe', '2027-01-01', '02:15'],
  ['America/Santiago', '2026-01-01', '00:30'],
  ['Pacific/Apia', '2011-01-01', '09:00'],
])('clocks in %s change on few days, and skip no time on others', (zone, from, time) => {
  const mayChange = clockChanges(zone);
  const days = Array.from({ length: 730 }, (_, index) => Temporal.PlainDate.from(from).add({ days: index }));
  const changing = days.filter(mayChange);
  expect(changing.length).toBeLessThan(20);
  const skipped = days.filter((day) => isSkipped(day.toPlainDateTime(time), zone));
  expect(skipped.length).toBeGreaterThan(0);
  expect(changing).toEqual(expect.arrayContaining(skipped));
});

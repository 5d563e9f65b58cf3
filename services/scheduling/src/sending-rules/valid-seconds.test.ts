import { expect, it } from 'vitest';
import { isRightHour, persons } from '../../test/sending-model.ts';
import { validSeconds } from './valid-seconds.ts';

const quiet = { quietHours: true };
const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
const quarter = 900_000;

it('a text to anybody in the model may wait until their hours end, and never for more than ten hours', () => {
  for (const person of persons)
    for (let ms = Date.UTC(2026, 2, 6); ms < Date.UTC(2026, 2, 14); ms += quarter) {
      if (!isRightHour(person, false, ms)) continue;
      const seconds = validSeconds(person, quiet, at(ms));
      const end = ms + seconds * 1000;
      expect(seconds).toBeLessThanOrEqual(36_000);
      for (let within = ms; within < end; within += quarter)
        expect([isRightHour(person, false, within), person]).toEqual([true, person]);
      expect([seconds === 36_000 || !isRightHour(person, false, end), person, at(ms)]).toEqual([
        true,
        person,
        at(ms),
      ]);
    }
});

const newYork = {
  number: '+12125550123',
  zone: null,
  addresses: [],
  senderZone: 'America/New_York',
};

it.each([
  ['2026-03-03T01:50:00Z', 600],
  ['2026-03-03T01:59:58.5Z', 1],
  ['2026-03-03T01:59:59.999Z', 1],
  ['2026-03-02T13:00:00Z', 36_000],
])('at %s a text to New York may wait for %i seconds', (now, seconds) => {
  expect(validSeconds(newYork, quiet, Temporal.Instant.from(now))).toBe(seconds);
});

it('without quiet hours it may wait for an hour', () => {
  const night = Temporal.Instant.from('2026-03-03T06:00:00Z');
  expect(validSeconds(newYork, { quietHours: false }, night)).toBe(3_600);
});

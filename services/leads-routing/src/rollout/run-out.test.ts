import { expect, it } from 'vitest';
import { runsOutAt } from './run-out.ts';

const at = (time: string) => new Date(`2026-03-01T${time}:00Z`);
const offers = [
  { user_id: 2, notify_at: at('12:10') },
  { user_id: 1, notify_at: at('12:00') },
];

it.each([
  ['one step after the last turn', 'Rank', 45, '12:55'],
  ['half an hour after the last turn if a step is shorter', 'Rank', 5, '12:40'],
  ['half an hour after the last turn if the team does not order by rank', 'Time', 45, '12:40'],
] as const)('a lead runs out %s', (_, order_method, mins_until_next_alert, time) => {
  expect(runsOutAt({ order_method, mins_until_next_alert }, offers)).toEqual(at(time));
});

import { expect, it } from 'vitest';
import { dueAfter } from './due.ts';

const [newYork, losAngeles, paris] = ['America/New_York', 'America/Los_Angeles', 'Europe/Paris'];
const nine = {
  due_at: new Date('2026-03-10T13:00:00Z'),
  due_local: '2026-03-10T09:00:00',
  timezone: newYork,
};

it('a due time without a zone is local time of the caller, wherever the task was due before', () => {
  expect(dueAfter({ due_at: '2026-03-10T09:00:00' }, losAngeles, nine)).toEqual({
    due_at: new Date('2026-03-10T16:00:00Z'),
    due_local: '2026-03-10T09:00:00',
    timezone: losAngeles,
  });
});

it('another zone alone does not change the local time', () => {
  expect(dueAfter({ timezone: losAngeles }, paris, nine)).toMatchObject({
    due_at: new Date('2026-03-10T16:00:00Z'),
    due_local: nine.due_local,
  });
});

it('a local time that occurs twice in a night keeps its moment when it is sent back unchanged', () => {
  const due_local = '2026-11-01T01:30:00';
  for (const due_at of [new Date('2026-11-01T05:30:00Z'), new Date('2026-11-01T06:30:00Z')]) {
    const current = { due_at, due_local, timezone: newYork };
    expect(dueAfter({ due_at: due_local, timezone: newYork }, paris, current)).toEqual(current);
  }
});

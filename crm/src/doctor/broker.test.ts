import { expect, it } from 'vitest';
import { backlogFinding, unreadFinding } from './broker.ts';

it('waiting events are normal for moments, a warning after an hour, and a problem long before they are discarded', () => {
  const now = Date.parse('2026-03-15T12:00:00Z');
  const stateAfter = (hours: number) => {
    const since = new Date(now - hours * 3_600_000);
    return backlogFinding({ publisher: 'contacts', consumer: 'scheduling', waiting: 3, since }, now);
  };
  expect([0, 0.9, 1.1, 167, 169].map((hours) => stateAfter(hours).state)).toEqual([
    'ok',
    'ok',
    'warning',
    'warning',
    'problem',
  ]);
  expect(stateAfter(2)).toMatchObject({
    part: 'scheduling events',
    detail: '3 of contacts are waiting, the oldest since 2026-03-15T10:00:00.000Z',
  });
});

it('events that a service does not read are a problem, with the service and the publisher', () => {
  const unread = { publisher: 'campaigns-templates', consumer: 'leads-routing' };
  const part = 'leads-routing events';
  expect(unreadFinding({ ...unread, exists: false })).toMatchObject({
    part,
    state: 'problem',
    detail: 'there is no consumer of those of campaigns-templates',
    fix: expect.stringContaining('docs/operations/upgrade.md'),
  });
  expect(unreadFinding({ ...unread, exists: true })).toMatchObject({
    part,
    state: 'problem',
    detail: 'nobody reads those of campaigns-templates',
    fix: expect.stringContaining('docs/operations/upgrade.md'),
  });
});

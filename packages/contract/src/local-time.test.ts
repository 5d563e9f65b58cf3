import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { find, localTime, readLocalTime } from './index.ts';

describe('a local time', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00'],
    ['2026-03-01 09:30', '2026-03-01T09:30:00'],
    ['2026-03-01T09:30:15.750', '2026-03-01T09:30:15'],
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00Z'],
    ['2026-03-01 09:30:00+02:00', '2026-03-01T07:30:00Z'],
    ['2026-02-30', undefined],
    ['tomorrow', undefined],
    ['9999-12-31', undefined],
  ])('is read from %s', (sent, read) => {
    expect(readLocalTime(sent)).toBe(read);
    expect(localTime.safeParse(sent).data).toBe(read);
  });

  it.each([5, true, {}, [], null])('is not read from %j', (sent) => {
    expect(localTime.safeParse(sent).success).toBe(false);
  });

  it('can be filtered by with a zone or without, but not as text', () => {
    const schema = find(z.object({ due_at: localTime }));
    expect(
      schema.parse({ due_at: { $gt: '2026-03-01', $lt: '2026-03-02T00:00+01:00' } as never }).where,
    ).toEqual([
      { field: 'due_at', op: '$gt', value: '2026-03-01T00:00:00' },
      { field: 'due_at', op: '$lt', value: '2026-03-01T23:00:00Z' },
    ]);
    for (const due_at of ['x', { $like: '2026%' }, '2026-02-30'])
      expect(schema.safeParse({ due_at } as never).success).toBe(false);
  });
});

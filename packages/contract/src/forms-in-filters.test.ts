import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { color, find, id } from './index.ts';

const list = find(z.object({ id, color: color.nullable() }));

const errors = (raw: object) =>
  Object.fromEntries(
    (list.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );

describe('a filter by a field whose texts have a fixed form', () => {
  it.each([
    ['color', { color: 'red' }],
    ['color', { color: ['#3b274c', 'red'] }],
    ['color.$ne', { color: { $ne: 'red' } }],
    ['color.$nin', { color: { $nin: ['red'] } }],
  ])('is refused for %s in %j', (path, raw) => {
    expect(errors(raw)).toEqual({ [path]: 'must look like #3b274c' });
  });

  it.each([{ color: '#3b274c' }, { color: '' }, { color: { $like: '#3b%' } }, { color: { $gt: '#3' } }])(
    'accepts %j',
    (raw) => {
      expect(errors(raw)).toEqual({});
    },
  );
});

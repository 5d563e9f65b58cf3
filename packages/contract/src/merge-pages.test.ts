import { describe, expect, it } from 'vitest';
import { mergePages } from './merge-pages.ts';

const row = (id: string, created_at: string, address: string | null = null) => ({ id, created_at, address });
const pages = [
  { total: 3, data: [row('c', '2'), row('a', '1', 'x')] },
  { total: 2, data: [row('b', '2', 'y')] },
  { total: 0, data: [] },
];
const asked = { skip: 0, limit: 10, select: undefined };
const ids = (page: { readonly data: readonly { readonly id: string }[] }) =>
  page.data.map(({ id }) => id).join('');

describe('merged pages', () => {
  it('have the requested order, then that of the ids in the same direction, with missing values last', () => {
    expect(ids(mergePages(pages, { ...asked, sort: [['created_at', -1]] }))).toBe('cba');
    expect(ids(mergePages(pages, { ...asked, sort: [['created_at', 1]] }))).toBe('abc');
    expect(ids(mergePages(pages, { ...asked, sort: [['address', 1]] }))).toBe('abc');
    expect(ids(mergePages(pages, { ...asked, sort: [['address', -1]] }))).toBe('cba');
    expect(ids(mergePages(pages, { ...asked, sort: [['id', -1]] }))).toBe('cba');
  });

  it('count all rows and show the requested fields, with the id', () => {
    const sort = [['created_at', -1]] as const;
    expect(mergePages(pages, { sort, skip: 1, limit: 1, select: ['address'] })).toEqual({
      total: 5,
      limit: 1,
      skip: 1,
      data: [{ id: 'b', address: 'y' }],
    });
  });
});

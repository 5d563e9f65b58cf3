import type { Find } from './read-find.ts';

/**
 * An order that ends with the id, so that no two records are equal; keys after the id have no effect. The id has the direction of
 * the key before it, so that an index can be read in this order from either end.
 */
export function decisive(sort: Find['sort']): Find['sort'] {
  const at = sort.findIndex(([field]) => field === 'id');
  return at < 0 ? [...sort, ['id', sort.at(-1)?.[1] ?? 1]] : sort.slice(0, at + 1);
}

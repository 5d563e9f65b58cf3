import type { Find } from './read-find.ts';

/**
 * An order with the id as its last key, so that no two records are at the same place; what is behind the id decides nothing. The
 * id has the direction of the key before it: an index then has the order, read from one end or the other.
 */
export function decisive(sort: Find['sort']): Find['sort'] {
  const at = sort.findIndex(([field]) => field === 'id');
  return at < 0 ? [...sort, ['id', sort.at(-1)?.[1] ?? 1]] : sort.slice(0, at + 1);
}

import type { Find } from '@crm/contract';

/** What is asked of a list. */
export type ListQuery = Pick<Find, 'where' | 'sort' | 'limit' | 'skip' | 'select'> &
  Partial<Pick<Find, 'after'>>;

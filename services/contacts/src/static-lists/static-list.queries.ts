import { readModel } from '@crm/data';
import { StaticListView } from './static-list.api.ts';
import { visibleStaticLists } from './static-list.policy.ts';

export const staticListRows = readModel(StaticListView, {
  table: 'static_lists',
  visible: visibleStaticLists,
  hidden: { removed_at: { kind: 'instant', sql: 'static_lists.removed_at' } },
});

import { readModel } from '@crm/data';
import { HotnessView } from './hotness.api.ts';
import { visibleHotnesses } from './hotness.policy.ts';

export const hotnessRows = readModel(HotnessView, {
  table: 'hotnesses',
  visible: visibleHotnesses,
  order: [
    ['user_id', 1],
    ['rank', 1],
  ],
  hidden: { removed_at: { kind: 'instant', sql: 'hotnesses.removed_at' } },
});

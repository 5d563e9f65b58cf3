import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { Scheduling } from './migrations/0001-scheduling.ts';

export const schedulingStore: Store = {
  schema: 'scheduling',
  entities: [OutboxMessage],
  migrations: [{ name: '0001-scheduling', class: Scheduling }],
};

import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { Leads } from './migrations/0001-leads.ts';

export const leadsRoutingStore: Store = {
  schema: 'leads_routing',
  entities: [OutboxMessage],
  migrations: [{ name: '0001-leads', class: Leads }],
};

import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { leadsRoutingApi } from './api.ts';
import { leadsRoutingStore } from './store.ts';

/** The service that keeps leads and finds out who gets them. */
export const leadsRoutingService: ServiceDefinition = {
  name: 'leads-routing',
  contract: leadsRoutingApi,
  procedures: proceduresOf(leadsRoutingApi, {}),
  store: leadsRoutingStore,
  needs: ['contacts', 'campaigns-templates'],
  subscriptions: [],
  workers: [],
};

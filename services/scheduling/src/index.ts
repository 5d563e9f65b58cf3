import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { schedulingApi } from './api.ts';
import { schedulingStore } from './store.ts';

/** The service that keeps what is to be done, and when. */
export const schedulingService: ServiceDefinition = {
  name: 'scheduling',
  contract: schedulingApi,
  procedures: proceduresOf(schedulingApi, {}),
  store: schedulingStore,
  needs: ['contacts'],
  subscriptions: [],
  workers: [],
};

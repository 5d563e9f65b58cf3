import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { campaignsTemplatesApi } from './api.ts';
import { campaignHandlers } from './campaigns/campaign.handlers.ts';
import { campaignAccessHandlers } from './campaigns/campaign-access.handlers.ts';
import { campaignsTemplatesStore } from './store.ts';

/** The service that keeps campaigns and what they send. */
export const campaignsTemplatesService: ServiceDefinition = {
  name: 'campaigns-templates',
  contract: campaignsTemplatesApi,
  procedures: proceduresOf(campaignsTemplatesApi, {
    campaigns: { ...campaignHandlers, ...campaignAccessHandlers },
  }),
  store: campaignsTemplatesStore,
  subscriptions: [],
  workers: [],
};

import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { leadsRoutingApi } from './api.ts';
import { claimHandlers } from './claims/claim.handlers.ts';
import { distributionOptionHandlers } from './distribution-options/distribution-option.handlers.ts';
import { leadRouteHandlers } from './lead-routes/lead-route.handlers.ts';
import { leadSourceHandlers } from './lead-sources/lead-source.handlers.ts';
import { leadHandlers } from './leads/lead.handlers.ts';
import { offerHandlers } from './offers/offer.handlers.ts';
import { leadsRoutingStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';

/** The service that keeps leads and finds out who gets them. */
export const leadsRoutingService: ServiceDefinition = {
  name: 'leads-routing',
  contract: leadsRoutingApi,
  procedures: proceduresOf(leadsRoutingApi, {
    distributionOptions: distributionOptionHandlers,
    leadRoutes: leadRouteHandlers,
    leadSources: leadSourceHandlers,
    leads: { ...leadHandlers, ...claimHandlers },
    offers: offerHandlers,
  }),
  store: leadsRoutingStore,
  needs: ['contacts', 'campaigns-templates'],
  subscriptions,
  workers: [],
};

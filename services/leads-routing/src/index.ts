import type { DeliveryConfig } from '@crm/delivery';
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

export { leadsRoutingStore } from './store.ts';

export interface Settings {
  /** How alerts leave, and how callbacks are known to be the carrier's. */
  readonly delivery: DeliveryConfig;
  /** What the links that claim a lead are signed with. With another one, those that were sent do not work any more. */
  readonly claimKey: string;
}

/** The service that keeps leads and finds out who gets them. */
export function leadsRoutingService(_settings: Settings): ServiceDefinition {
  return {
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
}

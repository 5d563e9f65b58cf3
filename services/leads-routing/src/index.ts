import { problemsIn } from '@crm/dispatch';
import { operatorHandlers, proceduresOf, type ServiceDefinition } from '@crm/service';
import { alertStatusHandlers } from './alert-statuses/alert-status.handlers.ts';
import { bounceWorker } from './alert-statuses/note-bounces.ts';
import { alertDispatcher } from './alerts/dispatcher.ts';
import { leadsRoutingApi } from './api.ts';
import { auditLogHandlers } from './audit-events/audit-log.handlers.ts';
import { callbackHandlers } from './claim-links/callback.handlers.ts';
import { claimLinkHandlers } from './claim-links/claim-link.handlers.ts';
import { textDecider } from './claim-links/decide-texts.ts';
import { textForwarder } from './claim-links/forward-texts.ts';
import { claimHandlers } from './claims/claim.handlers.ts';
import { giveContactsWorker } from './claims/give-contact.ts';
import { declineHandlers } from './declines/decline.handlers.ts';
import { distributionOptionHandlers } from './distribution-options/distribution-option.handlers.ts';
import { lateOptionsWorker } from './distribution-options/remove-late-options.ts';
import { leadHistoryHandlers } from './lead-history/lead-history.handlers.ts';
import { leadRouteHandlers } from './lead-routes/lead-route.handlers.ts';
import { leadSourceHandlers } from './lead-sources/lead-source.handlers.ts';
import { leadHandlers } from './leads/lead.handlers.ts';
import { offerHandlers } from './offers/offer.handlers.ts';
import { unclaimedLeadsWorker } from './offers/return-unclaimed.ts';
import { routeAlertDispatcher } from './route-alerts/route-alert-dispatcher.ts';
import { leadRoutingHandlers, simulationHandlers } from './routing/routing.handlers.ts';
import type { Settings } from './settings.ts';
import { leadsRoutingStore, messageTables } from './store.ts';
import { submissionHandlers } from './submissions/submission.handlers.ts';
import { subscriptions } from './subscriptions.ts';

export { leadsRoutingStore } from './store.ts';
export { subscriptions as leadsRoutingSubscriptions } from './subscriptions.ts';

const service = { name: 'leads-routing', store: leadsRoutingStore, subscriptions };
const operators = operatorHandlers(service);
const claiming = { ...claimHandlers, ...declineHandlers };

/** The service that stores leads and decides who gets them. */
export function leadsRoutingService(settings: Settings): ServiceDefinition {
  return {
    ...service,
    procedures: proceduresOf(leadsRoutingApi, {
      ...operators,
      auditEvents: { ...operators.auditEvents, ...auditLogHandlers },
      leadHistory: leadHistoryHandlers,
      alertStatuses: alertStatusHandlers(settings),
      callbacks: callbackHandlers(settings),
      claimLinks: claimLinkHandlers(settings),
      distributionOptions: distributionOptionHandlers,
      leadRoutes: { ...leadRouteHandlers, ...simulationHandlers },
      leadSources: leadSourceHandlers,
      leads: { ...leadHandlers, ...submissionHandlers, ...claiming, ...leadRoutingHandlers },
      offers: offerHandlers,
    }),
    needs: ['contacts', 'scheduling', 'campaigns-templates'],
    problems: async (query) =>
      (await Promise.all(messageTables.map((table) => problemsIn(query, table)))).flat(),
    workers: [
      alertDispatcher(settings),
      routeAlertDispatcher(settings),
      bounceWorker(settings),
      textDecider,
      textForwarder,
      giveContactsWorker,
      unclaimedLeadsWorker,
      lateOptionsWorker,
    ],
  };
}

import { auditEventApi, causeApi, deadLetterApi, eventStream, type RouterOf } from '@crm/contract';
import { CloudEvent, leadsRoutingEvents } from '@crm/events';
import { alertStatusApi } from './alert-statuses/alert-status.api.ts';
import { auditLogApi } from './audit-events/audit-event.api.ts';
import { callbackApi } from './claim-links/callback.api.ts';
import { claimLinkApi } from './claim-links/claim-link.api.ts';
import { claimApi } from './claims/claim.api.ts';
import { declineApi } from './declines/decline.api.ts';
import { distributionOptionApi } from './distribution-options/distribution-option.api.ts';
import { leadHistoryApi } from './lead-history/lead-history.api.ts';
import { leadRouteApi } from './lead-routes/lead-route.api.ts';
import { leadSourceApi } from './lead-sources/lead-source.api.ts';
import { leadApi } from './leads/lead.api.ts';
import { offerApi } from './offers/offer.api.ts';
import { leadRoutingApi, simulationApi } from './routing/routing.api.ts';
import { submissionApi } from './submissions/submission.api.ts';

/** The operations of this service. */
export const leadsRoutingApi = {
  alertStatuses: alertStatusApi,
  auditEvents: { ...auditEventApi, ...auditLogApi },
  causes: causeApi,
  leadHistory: leadHistoryApi,
  callbacks: callbackApi,
  claimLinks: claimLinkApi,
  deadLetters: deadLetterApi,
  distributionOptions: distributionOptionApi,
  events: eventStream(CloudEvent, leadsRoutingEvents),
  leadRoutes: { ...leadRouteApi, ...simulationApi },
  leadSources: leadSourceApi,
  leads: { ...leadApi, ...submissionApi, ...claimApi, ...declineApi, ...leadRoutingApi },
  offers: offerApi,
};

/** For a client of tRPC: `createTRPCClient<LeadsRoutingRouter>`. */
export type LeadsRoutingRouter = RouterOf<typeof leadsRoutingApi>;

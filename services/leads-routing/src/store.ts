import type { Store } from '@crm/data';
import { alertTable } from './alerts/alert.queries.ts';
import { consistency } from './consistency.queries.ts';
import { DistributionOption } from './distribution-options/distribution-option.entity.ts';
import { LeadRoute } from './lead-routes/lead-route.entity.ts';
import { LeadSource } from './lead-sources/lead-source.entity.ts';
import { Lead } from './leads/lead.entity.ts';
import { Leads } from './migrations/0001-leads.ts';
import { Offers } from './migrations/0002-offers.ts';
import { SightOfOfferedLeads } from './migrations/0003-sight-of-offered-leads.ts';
import { Dispatch } from './migrations/0004-dispatch.ts';
import { Replies } from './migrations/0005-replies.ts';
import { LeadsThatFindNobody } from './migrations/0006-leads-that-find-nobody.ts';
import { Outcomes } from './migrations/0007-outcomes.ts';
import { KnownContactSources } from './migrations/0008-known-contact-sources.ts';
import { DelegatedLeads } from './migrations/0009-delegated-leads.ts';
import { SightOfMembers } from './migrations/0020-sight-of-members.ts';
import { Deliveries } from './migrations/0030-deliveries.ts';
import { AuditEvents } from './migrations/0031-audit-events.ts';
import { DoubtfulSendings } from './migrations/0040-doubtful-sendings.ts';
import { SearchLeads } from './migrations/0041-search-leads.ts';
import { SearchInBatches } from './migrations/0044-search-in-batches.ts';
import { DeadLetters } from './migrations/0050-dead-letters.ts';
import { WakingInserts } from './migrations/0066-waking-inserts.ts';
import { Causes } from './migrations/0080-causes.ts';
import { History } from './migrations/0081-history.ts';
import { CalledSearchFunctions } from './migrations/0090-called-search-functions.ts';
import { CausesOfLeads } from './migrations/0110-causes-of-leads.ts';
import { SparingNotifications } from './migrations/0130-sparing-notifications.ts';
import { Partitions } from './migrations/0150-partitions.ts';
import { LostEvents } from './migrations/0170-lost-events.ts';
import { Offer } from './offers/offer.entity.ts';

export const leadsRoutingStore: Store = {
  schema: 'leads_routing',
  entities: [DistributionOption, Lead, LeadRoute, LeadSource, Offer],
  migrations: [
    { name: '0001-leads', class: Leads },
    { name: '0002-offers', class: Offers },
    { name: '0003-sight-of-offered-leads', class: SightOfOfferedLeads },
    { name: '0004-dispatch', class: Dispatch },
    { name: '0005-replies', class: Replies },
    { name: '0006-leads-that-find-nobody', class: LeadsThatFindNobody },
    { name: '0007-outcomes', class: Outcomes },
    { name: '0008-known-contact-sources', class: KnownContactSources },
    { name: '0009-delegated-leads', class: DelegatedLeads },
    { name: '0020-sight-of-members', class: SightOfMembers },
    { name: '0030-deliveries', class: Deliveries },
    { name: '0031-audit-events', class: AuditEvents },
    { name: '0040-doubtful-sendings', class: DoubtfulSendings },
    { name: '0041-search-leads', class: SearchLeads },
    { name: '0044-search-in-batches', class: SearchInBatches },
    { name: '0050-dead-letters', class: DeadLetters },
    { name: '0066-waking-inserts', class: WakingInserts },
    { name: '0080-causes', class: Causes },
    { name: '0081-history', class: History },
    { name: '0090-called-search-functions', class: CalledSearchFunctions },
    { name: '0110-causes-of-leads', class: CausesOfLeads },
    { name: '0130-sparing-notifications', class: SparingNotifications },
    { name: '0150-partitions', class: Partitions },
    { name: '0170-lost-events', class: LostEvents },
  ],
  messages: [alertTable],
  consistency,
};

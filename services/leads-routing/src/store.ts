import { noteRestoration, type Store } from '@crm/data';
import { alertTable } from './alerts/alert.queries.ts';
import { consistency } from './consistency.queries.ts';
import { DistributionOption } from './distribution-options/distribution-option.entity.ts';
import { LeadRoute } from './lead-routes/lead-route.entity.ts';
import { LeadSource } from './lead-sources/lead-source.entity.ts';
import { Lead } from './leads/lead.entity.ts';
import { Offer } from './offers/offer.entity.ts';
import { endLastTurns } from './offers/unclaimed-lead.queries.ts';
import { routeAlertTable } from './route-alerts/route-alert.queries.ts';

/** The tables of messages that the service sends. */
export const messageTables = [alertTable, routeAlertTable];

export const leadsRoutingStore: Store = {
  schema: 'leads_routing',
  entities: [DistributionOption, Lead, LeadRoute, LeadSource, Offer],
  migrations: [
    { name: '0001-leads', load: () => import('./migrations/0001-leads.ts') },
    { name: '0002-offers', load: () => import('./migrations/0002-offers.ts') },
    {
      name: '0003-sight-of-offered-leads',
      load: () => import('./migrations/0003-sight-of-offered-leads.ts'),
    },
    { name: '0004-dispatch', load: () => import('./migrations/0004-dispatch.ts') },
    { name: '0005-replies', load: () => import('./migrations/0005-replies.ts') },
    {
      name: '0006-leads-that-find-nobody',
      load: () => import('./migrations/0006-leads-that-find-nobody.ts'),
    },
    { name: '0007-outcomes', load: () => import('./migrations/0007-outcomes.ts') },
    { name: '0008-known-contact-sources', load: () => import('./migrations/0008-known-contact-sources.ts') },
    { name: '0009-delegated-leads', load: () => import('./migrations/0009-delegated-leads.ts') },
    { name: '0020-sight-of-members', load: () => import('./migrations/0020-sight-of-members.ts') },
    { name: '0030-deliveries', load: () => import('./migrations/0030-deliveries.ts') },
    { name: '0031-audit-events', load: () => import('./migrations/0031-audit-events.ts') },
    { name: '0040-doubtful-sendings', load: () => import('./migrations/0040-doubtful-sendings.ts') },
    { name: '0041-search-leads', load: () => import('./migrations/0041-search-leads.ts') },
    { name: '0044-search-in-batches', load: () => import('./migrations/0044-search-in-batches.ts') },
    { name: '0050-dead-letters', load: () => import('./migrations/0050-dead-letters.ts') },
    { name: '0066-waking-inserts', load: () => import('./migrations/0066-waking-inserts.ts') },
    { name: '0080-causes', load: () => import('./migrations/0080-causes.ts') },
    { name: '0081-history', load: () => import('./migrations/0081-history.ts') },
    {
      name: '0090-called-search-functions',
      load: () => import('./migrations/0090-called-search-functions.ts'),
    },
    { name: '0110-causes-of-leads', load: () => import('./migrations/0110-causes-of-leads.ts') },
    { name: '0130-sparing-notifications', load: () => import('./migrations/0130-sparing-notifications.ts') },
    { name: '0150-partitions', load: () => import('./migrations/0150-partitions.ts') },
    { name: '0170-lost-events', load: () => import('./migrations/0170-lost-events.ts') },
    { name: '0200-words-by-creator', load: () => import('./migrations/0200-words-by-creator.ts') },
    { name: '0250-publish-again', load: () => import('./migrations/0250-publish-again.ts') },
    { name: '0270-doubtful-attempts', load: () => import('./migrations/0270-doubtful-attempts.ts') },
    { name: '0300-owners-of-alerts', load: () => import('./migrations/0300-owners-of-alerts.ts') },
    { name: '0310-restorations', load: () => import('./migrations/0310-restorations.ts') },
    { name: '0320-route-alerts', load: () => import('./migrations/0320-route-alerts.ts') },
    { name: '0330-disabled-members', load: () => import('./migrations/0330-disabled-members.ts') },
    { name: '0340-contacts-to-keep', load: () => import('./migrations/0340-contacts-to-keep.ts') },
    { name: '0350-ended-memberships', load: () => import('./migrations/0350-ended-memberships.ts') },
  ],
  messages: messageTables,
  onRestore: [endLastTurns, noteRestoration],
  consistency,
};

import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import type { Store } from '@crm/data';
import { identityStore } from '@crm/identity';
import { leadsRoutingStore, leadsRoutingSubscriptions } from '@crm/leads-routing';
import type { Subscription } from '@crm/messaging';
import { schedulingStore, schedulingSubscriptions } from '@crm/scheduling';
import type { ServiceName } from './services.ts';

/** The tables of each service, which need no settings. */
export const stores: Readonly<Record<ServiceName, Store>> = {
  identity: identityStore,
  contacts: contactsService.store,
  scheduling: schedulingStore,
  'campaigns-templates': campaignsTemplatesService.store,
  'leads-routing': leadsRoutingStore,
};

/** The events that each service subscribes to, which need no settings either. */
export const subscriptionsOf: Readonly<Record<ServiceName, readonly Subscription[]>> = {
  identity: [],
  contacts: contactsService.subscriptions,
  scheduling: schedulingSubscriptions,
  'campaigns-templates': campaignsTemplatesService.subscriptions,
  'leads-routing': leadsRoutingSubscriptions,
};

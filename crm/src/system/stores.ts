import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import type { Store } from '@crm/data';
import { identityStore } from '@crm/identity';
import { leadsRoutingStore } from '@crm/leads-routing';
import { schedulingStore } from '@crm/scheduling';
import type { ServiceName } from './services.ts';

/** The tables of each service, which need no settings. */
export const stores: Readonly<Record<ServiceName, Store>> = {
  identity: identityStore,
  contacts: contactsService.store,
  scheduling: schedulingStore,
  'campaigns-templates': campaignsTemplatesService.store,
  'leads-routing': leadsRoutingStore,
};

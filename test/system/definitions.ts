import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import type { Contract } from '@crm/contract';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { leadsRoutingService } from '@crm/leads-routing';
import { leadsRoutingApi } from '@crm/leads-routing/api';
import { schedulingService } from '@crm/scheduling';
import { schedulingApi } from '@crm/scheduling/api';
import type { ServiceDefinition } from '@crm/service';
import type { Settings } from './settings.ts';

/** The contract of each service. */
export const contracts = {
  identity: identityApi,
  contacts: contactsApi,
  scheduling: schedulingApi,
  'campaigns-templates': campaignsTemplatesApi,
  'leads-routing': leadsRoutingApi,
};

/** Every operation of every service, public or internal. */
export const operations = Object.entries<Contract>(contracts).flatMap(([service, contract]) =>
  Object.entries(contract).flatMap(([noun, all]) =>
    Object.entries(all).map(([name, operation]) => ({
      service: service as keyof typeof contracts,
      noun,
      name,
      procedure: `${noun}.${name}`,
      operation,
    })),
  ),
);

/** Every service of the system, each after those that it calls. */
export const definitionsFor = (settings: Settings): readonly ServiceDefinition[] => [
  identityService({ ...settings, publicUrl: settings.delivery.publicUrl, mail: settings.delivery }),
  contactsService,
  schedulingService(settings),
  campaignsTemplatesService,
  leadsRoutingService(settings),
];

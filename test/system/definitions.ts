import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import { contracts } from '@crm/gateway';
import { identityService } from '@crm/identity';
import { leadsRoutingService } from '@crm/leads-routing';
import { schedulingService } from '@crm/scheduling';
import type { ServiceDefinition } from '@crm/service';
import type { Settings } from './settings.ts';

/** Every operation of every service, public or internal. */
export const operations = Object.entries(contracts).flatMap(([service, contract]) =>
  Object.entries(contract).flatMap(([noun, all]) =>
    Object.entries(all).map(([name, operation]) => ({
      service,
      contract,
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

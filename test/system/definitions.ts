import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import { leadsRoutingService } from '@crm/leads-routing';
import type { ServiceDefinition } from '@crm/service';

export interface Secrets {
  readonly operatorToken: string;
  readonly serviceToken: string;
}

/** Every service of the system, each after those that it asks; identity first, because all others ask it. */
export const definitionsFor = (secrets: Secrets): readonly ServiceDefinition[] => [
  identityService(secrets),
  contactsService,
  campaignsTemplatesService,
  leadsRoutingService,
];

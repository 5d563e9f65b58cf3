import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import { leadsRoutingService } from '@crm/leads-routing';
import { schedulingService } from '@crm/scheduling';
import type { ServiceDefinition } from '@crm/service';

/** What the services must be told. */
export interface Settings {
  readonly operatorToken: string;
  readonly serviceToken: string;
  readonly publicUrl: string;
}

/** Every service of the system, each after those that it asks; identity first, because all others ask it. */
export const definitionsFor = (settings: Settings): readonly ServiceDefinition[] => [
  identityService(settings),
  contactsService,
  schedulingService,
  campaignsTemplatesService,
  leadsRoutingService,
];

import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import type { CarrierOptions, DeliveryConfig } from '@crm/delivery';
import { identityService } from '@crm/identity';
import { leadsRoutingService } from '@crm/leads-routing';
import { schedulingService } from '@crm/scheduling';
import type { ServiceDefinition } from '@crm/service';
import type { Secrets } from './secrets.ts';
import type { ServiceName } from './services.ts';

/**
 * The services as values. `carrier` is the configured carrier, or undefined for the local one. Importing this file loads all
 * services, so commands that only call services do not import it.
 */
export function definitionsOf(
  secrets: Secrets,
  delivery: DeliveryConfig,
  carrier: CarrierOptions | undefined,
): Record<ServiceName, ServiceDefinition> {
  return {
    identity: identityService({ ...secrets, publicUrl: delivery.publicUrl, mail: delivery, carrier }),
    contacts: contactsService,
    scheduling: schedulingService({ delivery }),
    'campaigns-templates': campaignsTemplatesService,
    'leads-routing': leadsRoutingService({ claimKey: secrets.claimKey, delivery }),
  };
}

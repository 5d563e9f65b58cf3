import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import { leadsRoutingService } from '@crm/leads-routing';
import { schedulingService } from '@crm/scheduling';
import type { ServiceDefinition } from '@crm/service';
import { addressOf, gatewayPort } from '@crm/service/process';
import type { Secrets } from './secrets.ts';
import type { ServiceName } from './services.ts';

/**
 * The services as values. Loading this file loads all of them, so commands that only ask them do not. What is
 * not run, but only looked at, may have any public URL.
 */
export function definitionsOf(
  secrets: Secrets,
  publicUrl: string = addressOf('127.0.0.1', gatewayPort),
): Record<ServiceName, ServiceDefinition> {
  return {
    identity: identityService({ ...secrets, publicUrl }),
    contacts: contactsService,
    scheduling: schedulingService,
    'campaigns-templates': campaignsTemplatesService,
    'leads-routing': leadsRoutingService,
  };
}

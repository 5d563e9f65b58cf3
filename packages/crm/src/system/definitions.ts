import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import type { ServiceDefinition } from '@crm/service';
import type { ServiceName } from './services.ts';

/** The services as values. Loading this file loads all of them, so commands that only ask them do not. */
export function definitionsOf(operatorToken: string): Record<ServiceName, ServiceDefinition> {
  return { identity: identityService({ operatorToken }), contacts: contactsService };
}

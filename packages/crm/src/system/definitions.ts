import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import type { ServiceDefinition } from '@crm/service';
import { addressOf, gatewayPort } from '@crm/service/process';
import type { ServiceName } from './services.ts';

/**
 * The services as values. Loading this file loads all of them, so commands that only ask them do not. What is
 * not run, but only looked at, may have any public URL.
 */
export function definitionsOf(
  operatorToken: string,
  publicUrl: string = addressOf('127.0.0.1', gatewayPort),
): Record<ServiceName, ServiceDefinition> {
  return { identity: identityService({ operatorToken, publicUrl }), contacts: contactsService };
}

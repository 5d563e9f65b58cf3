import { contactsService } from '@crm/contacts';
import { identityService } from '@crm/identity';
import type { ServiceDefinition } from '@crm/service';

/** Every service of the system, identity first, because the others ask it who is asking. */
export const definitionsFor = (operatorToken: string, publicUrl: string): readonly ServiceDefinition[] => [
  identityService({ operatorToken, publicUrl }),
  contactsService,
];

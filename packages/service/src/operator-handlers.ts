import { auditEventHandlers } from './audit-events.ts';
import { causeHandlers } from './causes.ts';
import { deadLetterHandlers } from './dead-letters.ts';
import type { ServiceDefinition } from './definition.ts';

/** The handlers for the operator of a service that handles events: audit log, causes of messages, and dead letters. */
export const operatorHandlers = ({
  name,
  store,
  subscriptions,
}: Pick<ServiceDefinition, 'name' | 'store' | 'subscriptions'>) => ({
  auditEvents: auditEventHandlers(name),
  causes: causeHandlers(store.messages),
  deadLetters: deadLetterHandlers(name, subscriptions),
});

import type { User } from '@crm/auth';
import { queryIn } from '@crm/data';
import { auditTransaction } from '@crm/messaging';
import type { EntityManager } from '@mikro-orm/postgresql';
import { auditFieldsOf } from './audit.ts';
import { contextOf } from './call-context.ts';
import type { Context } from './context.ts';
import type { WorkerContext } from './definition.ts';
import { noPeers } from './peers.ts';

interface UserWork {
  /** The user with current rights, and what was presented when the work was requested. */
  readonly actor: User;
  /** Of the request that asked for the work, so that events and the audit log can be traced to it. */
  readonly requestId: string;
  /** The procedure that a request for the same would call. */
  readonly action: string;
}

/**
 * The context in which a worker does what a user requested earlier, in a transaction for that user. It is audited as a request
 * of the user would be.
 */
export function actAs(
  { clock, log }: Pick<WorkerContext, 'clock' | 'log'>,
  { actor, requestId, action }: UserWork,
  em: EntityManager,
): Context {
  auditTransaction(em, {
    action,
    requestId,
    ...auditFieldsOf(actor),
    record: () => undefined,
  });
  const request = { actor, credential: undefined, requestId, deadline: undefined };
  return contextOf({ clock, log }, request, { em, query: queryIn(em), peers: noPeers });
}

import type { User } from '@crm/auth';
import type { CallService } from '@crm/client';
import { queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import { actAs } from './act-as.ts';
import { rawTextOf } from './answer-text.ts';
import { contextOf } from './call-context.ts';
import type { WorkerContext } from './definition.ts';
import { noPeers } from './peers.ts';
import type { Procedure } from './procedure.ts';
import { readInput } from './read-input.ts';

interface UserWork {
  readonly actor: User;
  readonly requestId: string;
  /** A procedure whose input this process has already parsed by the same schemas, so that it is not parsed twice. */
  readonly alreadyRead?: string;
}

/**
 * The options of a savepoint that begins without the entities of the surrounding transaction: otherwise each savepoint would
 * compare all of them.
 */
export const withoutEntities = { clear: true };

/**
 * Calls procedures for a user in a transaction of a worker. Each mutation has a savepoint, so that a refused one leaves the
 * rest as it is, and is audited as a request of the user; calls must therefore be made one at a time. Procedures with steps
 * outside their transaction cannot be called.
 */
export function entryWithin(
  context: Pick<WorkerContext, 'clock' | 'log'>,
  { actor, requestId, alreadyRead }: UserWork,
  em: EntityManager,
  procedures: ReadonlyMap<string, Procedure>,
): CallService {
  return async ({ procedure: name, input }) => {
    const procedure = procedures.get(name);
    if (!procedure || procedure.ask || procedure.finish || procedure.complete)
      throw new Error(`"${name}" cannot be called in a transaction.`);
    const { operation, act } = procedure;
    const read = name === alreadyRead ? input : readInput(operation, input, false);
    if (operation.kind === 'query') {
      const reading = { actor, credential: undefined, requestId, deadline: undefined };
      const ctx = contextOf(context, reading, { em, query: queryIn(em), peers: noPeers });
      return { text: await rawTextOf(await act(ctx, read)), replayed: false };
    }
    const mutate = async (inner: EntityManager) => {
      const answer = await act(actAs(context, { actor, requestId, action: name }, inner), read);
      await inner.flush();
      return rawTextOf(answer);
    };
    return { text: await em.transactional(mutate, withoutEntities), replayed: false };
  };
}

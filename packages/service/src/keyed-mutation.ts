import { actingName, actorName } from '@crm/auth';
import type { Answer } from '@crm/client';
import { invalidField, isTemporary, problemOf, Refused } from '@crm/contract';
import { queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdmittedCall } from './call-context.ts';
import { type KeyedRequest, lockKey, readIdempotencyKey, type Stored, storeAnswer } from './idempotency.ts';
import { Pending } from './pending.ts';

/** The Idempotency-Key of a request and what it identifies. Throws for a key that is malformed or not allowed. */
export function keyedRequestOf({
  actor,
  procedure,
  idempotencyKey,
  input,
}: Pick<AdmittedCall, 'actor' | 'procedure' | 'idempotencyKey' | 'input'>): KeyedRequest | undefined {
  if (idempotencyKey === undefined || procedure.operation.for === 'anyone') return undefined;
  if (procedure.operation.secret) {
    throw invalidField('Idempotency-Key', 'is not allowed on operations that return a secret');
  }
  const key = readIdempotencyKey(idempotencyKey);
  // A broker who acts as a user never gets a response that was stored for the user, or vice versa.
  const caller = [actorName(actor), actingName(actor)].filter(Boolean).join(' by ');
  return { actor: caller, operation: procedure.name, key, input };
}

/**
 * Runs a mutation at most once per key: the response is stored in the transaction of the mutation. Refusals that would be the
 * same later are stored too, and the changes of the handler are rolled back. Such a refusal is returned, because throwing it
 * here would roll back the stored response.
 */
export async function mutateOnce(
  tx: EntityManager,
  keyed: KeyedRequest,
  now: Date,
  act: (tx: EntityManager) => Promise<Pending<string>>,
): Promise<Pending<Answer | Refused>> {
  const query = queryIn(tx);
  const stored = await lockKey(query, keyed, now);
  if (stored) return new Pending(Promise.resolve(replayOf(stored)));
  // Sent together with the commit.
  const storing = (stored: Stored, answer: Answer | Refused) =>
    new Pending(storeAnswer(query, keyed, stored, now).then(() => answer));
  try {
    const text = await tx.transactional(async (inner) => (await act(inner)).result);
    return storing({ answer: text }, { text, replayed: false });
  } catch (error) {
    if (!(error instanceof Refused) || comesAgain(error)) throw error;
    return storing({ problem: problemOf(error) }, error);
  }
}

/**
 * Whether a refused request may succeed when it is sent again with the same key: later, or with another ETag if its condition
 * failed.
 */
const comesAgain = (refused: Refused): boolean =>
  isTemporary(refused) || refused.name === 'PreconditionFailed';

function replayOf(stored: Stored): Answer | Refused {
  if ('answer' in stored) return { text: stored.answer, replayed: true };
  return new Refused({ ...stored.problem, replayed: true });
}

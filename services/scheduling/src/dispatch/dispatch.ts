import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor, type Query, queryIn } from '@crm/data';
import { openDelivery } from '@crm/delivery';
import { again, batched, type Dispatch, providerMs } from '@crm/dispatch';
import type { WorkerContext } from '@crm/service';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { Settings } from '../settings.ts';
import { isAnyAbandoned, releaseAbandoned } from './abandoned-communication.queries.ts';
import {
  type Beginning,
  beginSending,
  type DispatchOutcome,
  type DueCommunication,
  dropStopped,
  leaseDue,
  recordOutcomes,
  type Settled,
  sendersDue,
} from './communication-dispatch.queries.ts';
import { fault } from './fault.ts';
import { loadParticipants } from './load-participants.ts';
import { publishOutcomes } from './publish-outcomes.ts';
import { outcomeOf, sendCommunication } from './send-communication.ts';
import { takeTurns } from './turns.ts';

/** What an instance does with communications that are due. */
export function openDispatch(
  { delivery }: Settings,
  { database, peers, clock, log }: WorkerContext,
): Dispatch<CommunicationType, DueCommunication> {
  const send = openDelivery({ ...delivery, timeoutMs: providerMs });
  const { query, orm } = database;
  const { honoursKeys } = delivery.carrier;
  const turns = takeTurns(() => sendersDue(query));

  /** Changes communications and publishes their outcomes, in one transaction. */
  const inTransaction = (change: (query: Query) => Promise<Settled[]>) =>
    emFor(orm, system).transactional(async (em) => {
      const now = clock();
      publishOutcomes(
        { em, actor: system, requestId: randomUUID(), now: () => now },
        await change(queryIn(em)),
      );
    });

  const begin = batched(async (beginnings: readonly Beginning[]) => {
    const begun = await beginSending(query, beginnings);
    const others = beginnings.filter(({ id }) => !begun.has(id));
    if (others.length > 0) await inTransaction((tx) => dropStopped(tx, others));
    return beginnings.map(({ id }) => begun.has(id));
  });

  const settle = batched(async (outcomes: readonly DispatchOutcome[]) => {
    await inTransaction(async (tx) => {
      const settled = await recordOutcomes(tx, outcomes);
      await fault('communication.settled');
      return settled;
    });
    return outcomes.map(() => undefined);
  });

  return {
    async take(free) {
      if (await isAnyAbandoned(query)) await inTransaction((tx) => releaseAbandoned(tx, honoursKeys));
      const shares = await turns.next(free);
      const leased = shares.length > 0 ? await leaseDue(query, shares) : [];
      if (leased.length < shares.reduce((sum, { max }) => sum + max, 0)) turns.forget();
      return leased;
    },

    async finish(leased, ended) {
      await fault('communication.leased');
      const caller = { peers, requestId: randomUUID() };
      const participants = await loadParticipants(caller, leased).catch((error: unknown) => {
        log.warn({ err: error }, 'communications wait because another service does not answer');
      });
      const one = (due: DueCommunication) =>
        participants
          ? sendCommunication({ delivery, send, begin, settle }, due, participants)
          : settle(outcomeOf(due, again(due, 'Another service did not answer.')));
      const outcomes = await Promise.allSettled(leased.map((due) => one(due).finally(() => ended(due))));
      // A row that failed here stays leased until its lease expires, as if the process had been killed.
      const failure = outcomes.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    },

    close: () => send.close(),
  };
}

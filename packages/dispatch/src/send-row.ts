import { randomUUID } from 'node:crypto';
import type { Delivery, MayStillSend, Outcome } from '@crm/delivery';
import { isCollision, refusalIn, type WorkerContext } from '@crm/service';
import { type SpanFacts, traced } from '@crm/telemetry';
import { checkAgain } from './check-again.ts';
import { crashPoint } from './crash-point.ts';
import type { DueRow } from './due-row.ts';
import { type FactsOrReason, noAnswer } from './facts.ts';
import { checkedMs, settleMs, takeBackMs } from './lease.ts';
import { attemptOf, destinationOf, planOf, wantedOf } from './planned-row.ts';
import type { BlockedRecipient, Message, Queue, Sendable } from './queue.ts';
import type { Monotonic } from './row-store.ts';
import type { Sending } from './sending.ts';
import { again, peerSeconds, type Settlement, settlementOf, stoppedBy, storedOutcome } from './settlement.ts';
import { unfit } from './unfit-rows.queries.ts';

/** Carries out the plan for one leased row by the facts about it, and stores the outcome. */
export async function sendRow<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  work: Sending<Due, Facts>,
  row: Due,
  known: FactsOrReason<Facts> | undefined,
): Promise<void> {
  const askedAt = known && 'at' in known ? known.at : performance.now();
  const settle = (settlement: Settlement, until = askedAt + settleMs) =>
    work.store.settle(storedOutcome(queue.table, row, settlement), until);
  const attempted = attemptOf(queue, row);
  if (!known || 'because' in known) {
    const because = known?.because ?? noAnswer;
    return settle(because === noAnswer ? again(attempted, because, peerSeconds) : again(attempted, because));
  }
  const plan = planOf(queue, work.context, row, known.facts);
  if ('state' in plan) return settle(plan);
  if ('run' in plan) {
    return plan.run().catch((error: unknown) => {
      if (!isCollision(error)) throw error;
      return settle(again(attempted, 'The records were being changed concurrently.'));
    });
  }
  await crashPoint(`${queue.name}.planned`);
  // An e-mail is checked when a connection is free or will soon be: while it waited for one, the check would grow old.
  const check = () => checkAndSend(queue, work, row, plan, known.at);
  const checked = await ('email' in plan.send ? work.emails.enter(check) : check());
  if (checked === 'stale') return sendRow(queue, work, row, await work.askAgain(row));
  if (checked) await settle(checked.settlement, checked.until);
}

/** The outcome of a row by its final check and its provider; undefined if another worker has the row. */
async function checkAndSend<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  work: Sending<Due, Facts>,
  row: Due,
  plan: Sendable,
  factsAt: Monotonic,
): Promise<{ readonly settlement: Settlement; readonly until: Monotonic } | 'stale' | undefined> {
  const verdict = await work.store
    .begin({ ...wantedOf(row, plan), factsAt })
    .catch((error: unknown) => ({ is: refusalIn(error) ? 'unconfirmed' : 'unfit', error }) as const);
  switch (verdict.is) {
    case 'stale':
      return 'stale';
    case 'lost':
      return undefined;
    case 'unconfirmed':
      work.context.log.warn(
        { err: verdict.error, id: row.id },
        'a final check was not confirmed and is undone',
      );
      return { settlement: unconfirmed, until: performance.now() + takeBackMs };
    case 'unfit':
      return {
        settlement: again(attemptOf(queue, row), `${unfit}: ${verdict.error}`),
        until: factsAt + settleMs,
      };
    case 'stopped':
      return { settlement: stoppedBy(verdict), until: factsAt + settleMs };
    case 'begun': {
      let { checkedAt } = verdict;
      const mayStillSend = async () => {
        const later = await checkAgain(queue, work, row, plan);
        checkedAt = later ?? checkedAt;
        return later !== undefined;
      };
      const settlement = await outcomeOf(queue, work, row, plan, { checkedAt, mayStillSend });
      return { settlement, until: checkedAt + settleMs };
    }
  }
}

const unconfirmed: Settlement = {
  state: 'Waiting',
  reason: 'The database did not respond to its final check.',
  seconds: 1,
};

/** The outcome of a row after its final check. */
async function outcomeOf<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  { provider, emails, honoursKeys, callbackUrl, context }: Sending<Due, Facts>,
  row: Due,
  { send: message, remark = null }: Sendable,
  { checkedAt, mayStillSend }: { readonly checkedAt: Monotonic; readonly mayStillSend: MayStillSend },
): Promise<Settlement> {
  const { name, statusPath } = queue;
  await crashPoint(`${name}.begun`);
  if (performance.now() - checkedAt > checkedMs) {
    return { state: 'Waiting', reason: 'It could not be sent at once after its final check.', seconds: 1 };
  }
  const statusUrl = callbackUrl && `${callbackUrl}${statusPath}${row.key}`;
  const began = performance.now();
  const outcome = await traced(
    () => spanOf(message, row.key),
    () => deliver(provider, row.key, message, { statusUrl, mayStillSend }),
  );
  if ('email' in message) emails.took(performance.now() - began);
  await crashPoint(`${name}.sent`);
  const attempted = attemptOf(queue, row);
  if (outcome.outcome === 'refused' && outcome.block) {
    const blocked = { to: destinationOf(message).sent_to, why: outcome.block, lane: queue.laneOf(row) };
    if ((await recordBlock(queue, context, blocked)) && queue.hasOtherWays)
      return again(attempted, outcome.reason);
  }
  const settlement = settlementOf(outcome, attempted, 'email' in message || honoursKeys);
  return settlement.state === 'Sent' ? { ...settlement, reason: remark } : settlement;
}

/** Returns whether the block was recorded. If not, the next message to the number or address is refused as well. */
async function recordBlock(
  queue: Pick<Queue, 'recordBlock'>,
  { peers, log, clock }: WorkerContext,
  blocked: BlockedRecipient,
): Promise<boolean> {
  try {
    await queue.recordBlock?.({ peers, requestId: randomUUID() }, blocked, clock());
    return true;
  } catch (error) {
    log.warn({ err: error }, 'a blocked number or address could not be recorded');
    return false;
  }
}

const spanOf = (message: Message, key: string): SpanFacts => ({
  name: `${Object.keys(message)[0]} to the provider`,
  kind: 'client',
  attributes: { 'messaging.message.id': key },
});

function deliver(
  provider: Delivery,
  key: string,
  message: Message,
  {
    statusUrl,
    mayStillSend,
  }: { readonly statusUrl: string | undefined; readonly mayStillSend: MayStillSend },
): Promise<Outcome> {
  if ('email' in message) return provider.email({ key, ...message.email }, mayStillSend);
  const reported = { key, ...(statusUrl && { status_url: statusUrl }) };
  if ('text' in message) return provider.text({ ...reported, ...message.text });
  return provider.call({ ...reported, ...message.call });
}

import { randomUUID } from 'node:crypto';
import { type Delivery, digestOf, type Outcome } from '@crm/delivery';
import { isCollision, refusalIn, type WorkerContext } from '@crm/service';
import { type SpanFacts, traced } from '@crm/telemetry';
import { type Asked, noAnswer } from './facts.ts';
import { crashPoint } from './crash-point.ts';
import { checkedMs, settleMs } from './lease.ts';
import type { DueRow, Ended, Message, Plan, Queue } from './queue.ts';
import type { Room } from './room.ts';
import type { Monotonic, RowStore, Verdict } from './row-store.ts';
import { again, peerSeconds, type Settlement, settlementOf, storedOutcome } from './settlement.ts';
import { unfit } from './unfit-rows.queries.ts';

export interface Sending<Row, Facts> {
  /** What other services know about a row now, together with other rows. */
  readonly askAgain: (row: Row) => Promise<Asked<Facts> | undefined>;
  readonly store: Pick<RowStore, 'begin' | 'settle'>;
  readonly send: Delivery;
  /** Where an e-mail waits for a connection to the mail server. */
  readonly emails: Room;
  /** Whether the carrier recognises a text or call that is sent again. */
  readonly honoursKeys: boolean;
  /** Where the provider reaches this system, if it does. */
  readonly callbackUrl: string | undefined;
  readonly context: WorkerContext;
}

type Sendable = Extract<Plan, { readonly send: Message }>;

/** Does what is planned for one leased row by what other services know about it, and stores the outcome. */
export async function sendRow<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  work: Sending<Row, Facts>,
  row: Row,
  known: Asked<Facts> | undefined,
): Promise<void> {
  const askedAt = known && 'at' in known ? known.at : performance.now();
  const settle = (settlement: Settlement, since = askedAt) =>
    work.store.settle(storedOutcome(queue.table, row, settlement), since + settleMs);
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
      return settle(again(attempted, 'Somebody else was changing the same records.'));
    });
  }
  await crashPoint(`${queue.name}.planned`);
  // An e-mail is checked when there is or will soon be a connection for it: while it waited for one, the check would grow old.
  const check = () => checkAndHand(queue, work, row, plan, known.at);
  const checked = await ('email' in plan.send ? work.emails.enter(check) : check());
  if (checked === 'stale') return sendRow(queue, work, row, await work.askAgain(row));
  if (checked) await settle(checked.settlement, checked.since);
}

/** The outcome of a row by its final check and its provider; nothing if the row belongs to somebody else. */
async function checkAndHand<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  work: Sending<Row, Facts>,
  row: Row,
  plan: Sendable,
  factsAt: Monotonic,
): Promise<{ readonly settlement: Settlement; readonly since: Monotonic } | 'stale' | undefined> {
  const { id, attempts } = row;
  const { user_id } = plan;
  const wanted = { id, attempts, ...destinationOf(plan.send), factsAt };
  const verdict = await work.store
    .begin({ ...wanted, ...(user_id && { user_id }) })
    .catch((error: unknown) => {
      if (refusalIn(error)) throw error;
      return { is: 'unfit', error } as const;
    });
  if (verdict?.is === 'stale') return 'stale';
  if (verdict?.is === 'unfit')
    return { settlement: again(attemptOf(queue, row), `${unfit}: ${verdict.error}`), since: factsAt };
  const settlement = await outcomeOf(queue, work, row, plan, verdict);
  return settlement && { settlement, since: verdict?.is === 'begun' ? verdict.checkedAt : factsAt };
}

/** What decides whether and when a row is tried again. */
const attemptOf = (
  { isNeverTooLate }: Pick<Queue<string, DueRow, unknown>, 'isNeverTooLate'>,
  { attempts, seconds_late }: DueRow,
) => ({ attempts, seconds_late: isNeverTooLate ? 0 : seconds_late });

/** A row that cannot be prepared waits with the reason, and holds up no other. */
function planOf<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  context: WorkerContext,
  row: Row,
  facts: Facts,
): Plan | Settlement {
  try {
    return queue.plan(row, facts, context);
  } catch (error) {
    context.log.error({ err: error, id: row.id }, `one of the ${queue.what} cannot be prepared, and waits`);
    return again(attemptOf(queue, row), `${unfit}: ${error}`);
  }
}

/** The outcome of a row after its final check; nothing if it belongs to somebody else. */
async function outcomeOf<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  { send, emails, honoursKeys, callbackUrl, context }: Sending<Row, Facts>,
  row: Row,
  { send: message, remark = null }: Sendable,
  verdict: Verdict | undefined,
): Promise<Settlement | undefined> {
  const { name, statusPath } = queue;
  if (verdict?.is === 'stopped') {
    const { state, reason, seconds = 1 } = verdict;
    return state === 'Waiting' ? { state, reason, seconds } : { state, reason };
  }
  if (verdict?.is !== 'begun') return undefined;
  await crashPoint(`${name}.begun`);
  if (performance.now() - verdict.checkedAt > checkedMs) {
    return { state: 'Waiting', reason: 'It could not be sent at once after its final check.', seconds: 1 };
  }
  const statusUrl = callbackUrl && `${callbackUrl}${statusPath}${row.key}`;
  const began = performance.now();
  const outcome = await traced(
    () => spanOf(message, row.key),
    () => hand(send, row.key, message, statusUrl),
  );
  if ('email' in message) emails.took(performance.now() - began);
  await crashPoint(`${name}.sent`);
  const attempted = attemptOf(queue, row);
  if (outcome.outcome === 'refused' && outcome.ends) {
    const ended = { to: destinationOf(message).sent_to, why: outcome.ends, lane: queue.laneOf(row) };
    if ((await noteEnd(queue, context, ended)) && queue.hasOtherWays) return again(attempted, outcome.reason);
  }
  const settlement = settlementOf(outcome, attempted, 'email' in message || honoursKeys);
  return settlement.state === 'Sent' ? { ...settlement, reason: remark } : settlement;
}

/** Returns whether it was noted. If nobody can be told now, the next message to the number or address is refused as well. */
async function noteEnd<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  { peers, log, clock }: WorkerContext,
  ended: Ended,
): Promise<boolean> {
  try {
    await queue.noteEnd?.({ peers, requestId: randomUUID() }, ended, clock());
    return true;
  } catch (error) {
    log.warn({ err: error }, 'the end of a number or address could not be noted');
    return false;
  }
}

const spanOf = (message: Message, key: string): SpanFacts => ({
  name: `${Object.keys(message)[0]} to the provider`,
  kind: 'client',
  attributes: { 'messaging.message.id': key },
});

function destinationOf(message: Message) {
  if ('email' in message) return { sent_to: message.email.to.address };
  if ('call' in message) return { sent_to: message.call.to };
  return { sent_to: message.text.to, sent_digest: digestOf(message.text.text) };
}

function hand(
  send: Delivery,
  key: string,
  message: Message,
  status_url: string | undefined,
): Promise<Outcome> {
  if ('email' in message) return send.email({ key, ...message.email });
  const reported = { key, ...(status_url && { status_url }) };
  if ('text' in message) return send.text({ ...reported, ...message.text });
  return send.call({ ...reported, ...message.call });
}

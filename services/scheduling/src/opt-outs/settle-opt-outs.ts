import { type Context, repeat, resume, type Worker, type WorkerContext } from '@crm/service';
import { contacts } from '../peers.ts';
import {
  forgetSettledOptOuts,
  leaseOptOuts,
  markOptOutSettled,
  type RequestedOptOut,
} from './opt-out-request.queries.ts';

type Settling = Pick<Context, 'peers' | 'requestId' | 'query' | 'log' | 'deadline'>;

const atOnce = 20;
const everyMs = 5_000;
/** How long somebody who has pressed a button waits for contacts. After that, a worker tries again. */
const waitMs = 3_000;

/** Tells contacts of a decision. If contacts does not respond, a worker tries again later; until then no message is sent. */
export async function settleOptOut(ctx: Settling, requested: RequestedOptOut): Promise<void> {
  try {
    const deadline = Math.min(performance.now() + waitMs, ctx.deadline ?? Number.POSITIVE_INFINITY);
    await tellContacts({ ...ctx, deadline }, requested);
    await markOptOutSettled(ctx.query, requested.id);
  } catch (error) {
    ctx.log.warn(
      { err: error, opt_out_request: requested.id },
      'the service contacts could not be told about an opt-out, and will be told later',
    );
  }
}

async function tellContacts(ctx: Settling, { what, destination, requested_at: at }: RequestedOptOut) {
  const { optOuts } = contacts.asSystem(ctx);
  if (what === 'unsubscribe') return optOuts.addEmail({ email: destination, at, source: 'List-Unsubscribe' });
  if (what === 'end texts') await optOuts.add({ number: destination, at });
  return optOuts.resume({ number: destination, at });
}

/** Tells contacts of all decisions that it does not know. One that fails holds up no other. */
export async function settleOptOuts({
  database: { query },
  peers,
  log,
}: Pick<WorkerContext, 'database' | 'peers' | 'log'>): Promise<void> {
  for (;;) {
    const due = await leaseOptOuts(query, atOnce);
    const settle = (requestId: string, requested: RequestedOptOut) =>
      settleOptOut({ peers, query, log, requestId }, requested);
    await Promise.all(
      due.map((requested) => resume('settle opt-out', requested, (id) => settle(id, requested))),
    );
    if (due.length < atOnce) break;
  }
  await forgetSettledOptOuts(query);
}

/** Tells contacts of what it does not know because it did not respond. Any number of instances may run. */
export const optOutSettler: Worker = async (context) =>
  repeat('tell contacts of opt-outs', everyMs, () => settleOptOuts(context), context.log);

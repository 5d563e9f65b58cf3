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

/** Sends a decision to contacts. If contacts does not respond, a worker tries again later; until then no message is sent. */
export async function settleOptOut(ctx: Settling, requested: RequestedOptOut): Promise<void> {
  try {
    const deadline = Math.min(performance.now() + waitMs, ctx.deadline ?? Number.POSITIVE_INFINITY);
    await tellContacts({ ...ctx, deadline }, requested);
    await markOptOutSettled(ctx.query, requested.id);
  } catch (error) {
    ctx.log.warn(
      { err: error, opt_out_request: requested.id },
      'an opt-out could not be sent to the service contacts, and is sent later',
    );
  }
}

async function tellContacts(ctx: Settling, { what, destination, requested_at: at }: RequestedOptOut) {
  const { optOuts } = contacts.asSystem(ctx);
  if (what === 'unsubscribe') return optOuts.addEmail({ email: destination, at, source: 'List-Unsubscribe' });
  if (what === 'end texts') await optOuts.add({ number: destination, at });
  return optOuts.resume({ number: destination, at });
}

/** Sends all decisions to contacts that it does not know. A decision that fails does not block others. */
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

/** Sends decisions to contacts that it missed because it did not respond. Any number of instances may run. */
export const optOutSettler: Worker = async (context) =>
  repeat('send opt-outs to contacts', everyMs, () => settleOptOuts(context), context.log);

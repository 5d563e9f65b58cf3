import type { Query } from '@crm/data';
import { type Clock, type Context, type PeerContext, refusalIn, within } from '@crm/service';
import { scheduling } from '../peers.ts';
import { crashPoint } from './crash-point.ts';
import { findEnrolment, markScheduled, type WaitingEnrolment } from './enrolment.queries.ts';
import { textsWith } from './pinned-action.queries.ts';

/** The longest that a client waits; what is unfinished by then is done later. */
const budgetMs = 2_000;

interface EnrolContext extends PeerContext {
  readonly query: Query;
  readonly now: Clock;
}

/**
 * Has scheduling create the communications and tasks of a contact in a campaign, and returns the time of their
 * creation. Repeating it creates nothing. Throws if scheduling does not respond in time.
 */
export async function enrol(ctx: EnrolContext, { id, plan }: WaitingEnrolment): Promise<string | null> {
  await within(budgetMs, (signal) => enrolWithTexts(ctx, { id, plan }, signal));
  await crashPoint('scheduled');
  return markScheduled(ctx.query, id, ctx.now());
}

/** Limits the size of a call. */
const textsAtOnce = 16;

/** Sends the plan. If scheduling does not know some of its texts yet, sends these texts and then the plan again. */
async function enrolWithTexts(
  ctx: EnrolContext,
  { id, plan }: WaitingEnrolment,
  signal: AbortSignal,
): Promise<void> {
  const { enrolments } = scheduling.asSystem(ctx);
  const enrolOnce = () => enrolments.enrol({ campaign_contact_id: id, plan }, { signal });
  try {
    await enrolOnce();
  } catch (error) {
    const missing = missingTexts(error);
    if (missing.length === 0) throw error;
    await Promise.all(
      portionsOf(missing).map(async (digests) =>
        enrolments.storeTexts({ texts: await textsWith(ctx.query, digests) }, { signal }),
      ),
    );
    await enrolOnce();
  }
}

const portionsOf = (digests: readonly string[]) =>
  Array.from({ length: Math.ceil(digests.length / textsAtOnce) }, (_, index) =>
    digests.slice(index * textsAtOnce, (index + 1) * textsAtOnce),
  );

/** The digests of the texts that scheduling lacks, from its refusal of a plan. */
function missingTexts(error: unknown): string[] {
  const refused = refusalIn(error);
  return refused?.name === 'Conflict' ? Object.keys(refused.errors) : [];
}

/** Enrols a contact unless it is already enrolled. Never throws: what cannot be done now is left to the worker. */
export async function enrolAtOnce(
  ctx: EnrolContext & Pick<Context, 'log'>,
  id: number,
): Promise<string | null> {
  try {
    const { plan = null, scheduled_at = null } = (await findEnrolment(ctx.query, id)) ?? {};
    return plan ? await enrol(ctx, { id, plan }) : scheduled_at;
  } catch (error) {
    ctx.log.warn({ err: error, campaign_contact: id }, 'a contact in a campaign will be scheduled later');
    return null;
  }
}

type StoppedEnrolments = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

/**
 * Removes what has not been sent or done yet. Retries once on failure, because another instance may respond. Never
 * throws: the event about the removal has the same effect.
 */
export async function stopAtOnce(ctx: Context, what: StoppedEnrolments): Promise<void> {
  const stop = () => within(budgetMs, (signal) => scheduling.asSystem(ctx).enrolments.stop(what, { signal }));
  try {
    await stop().catch(stop);
  } catch (error) {
    ctx.log.warn({ err: error, ...what }, 'a removed contact or campaign will be stopped later');
  }
}

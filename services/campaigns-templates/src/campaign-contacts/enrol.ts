import type { Query } from '@crm/data';
import { type Clock, type Context, type PeerContext, refusalIn, within } from '@crm/service';
import { scheduling } from '../peers.ts';
import { crashPoint } from './crash-point.ts';
import { findEnrolment, markScheduled, type WaitingEnrolment } from './enrolment.queries.ts';
import { textsWith } from './pinned-action.queries.ts';

/** How long a client waits at most; what is not done by then is done later. */
const budgetMs = 2_000;

interface EnrolContext extends PeerContext {
  readonly query: Query;
  readonly now: Clock;
}

/**
 * Has scheduling create the communications and tasks of a contact in a campaign, and returns when they were created.
 * Repeating it creates nothing. Throws if scheduling does not respond in time.
 */
export async function enrol(ctx: EnrolContext, { id, plan }: WaitingEnrolment): Promise<string | null> {
  await within(budgetMs, (signal) => enrolWithTexts(ctx, { id, plan }, signal));
  await crashPoint('scheduled');
  return markScheduled(ctx.query, id, ctx.now());
}

/** How many texts are sent in one call, which limits its size. */
const textsAtOnce = 16;

/** Sends the plan; if scheduling does not know some of its texts yet, sends these, and the plan again. */
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

/** The digests of the texts for which scheduling refused a plan. */
function missingTexts(error: unknown): string[] {
  const refused = refusalIn(error);
  return refused?.name === 'Conflict' ? Object.keys(refused.errors) : [];
}

/** Enrols a contact unless that is already done. Never throws: what cannot be done now is left to the worker. */
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
 * Removes what is not sent or done yet. Asks again if there is no answer, because another instance may respond. Never throws:
 * the event of the removal has the same effect.
 */
export async function stopAtOnce(ctx: Context, what: StoppedEnrolments): Promise<void> {
  const stop = () => within(budgetMs, (signal) => scheduling.asSystem(ctx).enrolments.stop(what, { signal }));
  try {
    await stop().catch(stop);
  } catch (error) {
    ctx.log.warn({ err: error, ...what }, 'a removed contact or campaign will be stopped later');
  }
}

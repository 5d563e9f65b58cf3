import type { Query } from '@crm/data';
import { type Clock, type Context, type PeerContext, within } from '@crm/service';
import { scheduling } from '../peers.ts';
import { findEnrolment, markScheduled, type WaitingEnrolment } from './enrolment.queries.ts';
import { fault } from './fault.ts';

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
export async function enrol(peers: EnrolContext, { id, plan }: WaitingEnrolment): Promise<string | null> {
  await within(budgetMs, (signal) =>
    scheduling.asSystem(peers).enrolments.enrol({ campaign_contact_id: id, plan }, { signal }),
  );
  await fault('scheduled');
  return markScheduled(peers.query, id, peers.now());
}

/** The same, unless it is already done. Never fails: what cannot be done now is left to the worker. */
export async function enrolAtOnce(ctx: Context, id: number): Promise<string | null> {
  try {
    const { plan = null, scheduled_at = null } = (await findEnrolment(ctx.query, id)) ?? {};
    return plan ? await enrol(ctx, { id, plan }) : scheduled_at;
  } catch (error) {
    ctx.log.warn({ err: error, campaign_contact: id }, 'a contact in a campaign will be scheduled later');
    return null;
  }
}

type StoppedEnrolments = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

/** Removes what is not sent or done yet. Never fails: the event of the removal has the same effect. */
export async function stopAtOnce(ctx: Context, what: StoppedEnrolments): Promise<void> {
  try {
    await within(budgetMs, (signal) => scheduling.asSystem(ctx).enrolments.stop(what, { signal }));
  } catch (error) {
    ctx.log.warn({ err: error, ...what }, 'a removed contact or campaign will be stopped later');
  }
}

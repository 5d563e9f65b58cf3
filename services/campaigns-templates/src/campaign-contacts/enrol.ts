import type { Query } from '@crm/data';
import { type Clock, type Context, type PeerContext, within } from '@crm/service';
import { scheduling } from '../peers.ts';
import { findEnrolment, noteScheduled, type Waiting } from './enrolment.queries.ts';
import { fault } from './fault.ts';

/** Who wrote is kept waiting for so long at most; what is not done by then is done later. */
const budgetMs = 2_000;

interface Enrolling extends PeerContext {
  readonly query: Query;
  readonly now: Clock;
}

/**
 * Has scheduling make the communications and tasks of a contact in a campaign, and tells since when they are there.
 * Repeated, it makes none anew. Throws when scheduling does not answer in time.
 */
export async function enrol(peers: Enrolling, { id, plan }: Waiting): Promise<string | null> {
  await within(budgetMs, (signal) =>
    scheduling.asSystem(peers).enrolments.enrol({ campaign_contact_id: id, plan }, { signal }),
  );
  await fault('scheduled');
  return noteScheduled(peers.query, id, peers.now());
}

/** The same, unless it is done already. Never fails: what cannot be done now is left to the worker. */
export async function enrolAtOnce(ctx: Context, id: number): Promise<string | null> {
  try {
    const { plan = null, scheduled_at = null } = (await findEnrolment(ctx.query, id)) ?? {};
    return plan ? await enrol(ctx, { id, plan }) : scheduled_at;
  } catch (error) {
    ctx.log.warn({ err: error, campaign_contact: id }, 'a contact in a campaign is scheduled later');
    return null;
  }
}

type Stopped = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

/** Stops what is not sent or done yet, for good. Never fails: the event of the removal stops it too. */
export async function stopAtOnce(ctx: Context, what: Stopped): Promise<void> {
  try {
    await within(budgetMs, (signal) => scheduling.asSystem(ctx).enrolments.stop(what, { signal }));
  } catch (error) {
    ctx.log.warn({ err: error, ...what }, 'what was removed is stopped later');
  }
}

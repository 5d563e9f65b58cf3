import { Cause } from '@crm/contract';
import { dueRows, isoText, type Query, queryFirst, queryRows } from '@crm/data';
import { z } from 'zod';
import type { PinnedPlan } from './campaign-contact.api.ts';

/** Longer than two calls to scheduling. */
const lease = "interval '10 seconds'";

const shown = isoText('scheduled_at');

/** A plan is checked before it is stored, and again by scheduling. */
const StoredPlan = z.custom<PinnedPlan>();

const Enrolment = z.object({ scheduled_at: z.string().nullable(), plan: StoredPlan.nullable() });

/** The time at which a contact was scheduled, or its plan until then; undefined if it was removed from the campaign. */
export function findEnrolment(query: Query, id: number): Promise<z.output<typeof Enrolment> | undefined> {
  return queryFirst(
    query,
    Enrolment,
    `select ${shown} as scheduled_at, plan from campaign_contacts where id = $1`,
    [id],
  );
}

const Scheduled = z.object({ scheduled_at: z.string() });

/**
 * Records that a contact was scheduled, and returns the time of the first record; null if it has been removed from the
 * campaign since.
 */
export async function markScheduled(query: Query, id: number, at: Date): Promise<string | null> {
  const enrolment = await queryFirst(
    query,
    Scheduled,
    `update campaign_contacts set scheduled_at = coalesce(scheduled_at, $2::timestamptz), plan = null
     where id = $1 returning ${shown} as scheduled_at`,
    [id, at],
  );
  return enrolment?.scheduled_at ?? null;
}

const LeasedEnrolment = z.object({
  id: z.int(),
  /** Distinguishes one lease of a row from the next. */
  attempts: z.int(),
  plan: StoredPlan,
  /** The cause of the addition. */
  cause: Cause.nullable(),
});

/** A contact in a campaign whose communications and tasks have not been created yet. */
export type LeasedEnrolment = Readonly<z.output<typeof LeasedEnrolment>>;

export type WaitingEnrolment = Pick<LeasedEnrolment, 'id' | 'plan'>;

const isWaiting = `scheduled_at is null
  and exists (select from campaigns where campaigns.id = campaign_contacts.campaign_id)`;

/** When contacts that have not been scheduled are due. */
export const attemptsToCome = `select next_attempt_at as due_at from campaign_contacts where ${isWaiting}`;

/** Leases contacts that are due to be scheduled, the longest due first. */
export function leaseWaiting(query: Query, limit: number): Promise<LeasedEnrolment[]> {
  return queryRows(
    query,
    LeasedEnrolment,
    `with due as (${dueRows(
      'next_attempt_at',
      (isDue) => `select id from campaign_contacts where ${isDue} and ${isWaiting}
        order by next_attempt_at, id limit $1 for update of campaign_contacts skip locked`,
    )})
     update campaign_contacts set attempts = attempts + 1, next_attempt_at = now() + ${lease}
     from due where campaign_contacts.id = due.id
     returning campaign_contacts.id, campaign_contacts.attempts, campaign_contacts.plan,
       campaign_contacts.cause`,
    [limit],
  );
}

/** Delays the next attempt, unless another worker has leased the row since. */
export async function postpone(
  query: Query,
  { id, attempts }: LeasedEnrolment,
  seconds: number,
): Promise<void> {
  await query(
    `update campaign_contacts set next_attempt_at = now() + make_interval(secs => $3::float8)
     where id = $1 and attempts = $2 and scheduled_at is null`,
    [id, attempts, seconds],
  );
}

import type { Query } from '@crm/data';
import type { PinnedPlan } from './campaign-contact.api.ts';

/** Longer than scheduling is waited for, twice. */
const lease = "interval '10 seconds'";

const shown = `to_char(scheduled_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A contact in a campaign whose communications and tasks are to be made. */
export interface Waiting {
  readonly id: number;
  readonly plan: PinnedPlan;
}

/** When all was scheduled, or what is still to be; nothing where the contact was taken out. */
export async function findEnrolment(
  query: Query,
  id: number,
): Promise<{ readonly scheduled_at: string | null; readonly plan: PinnedPlan | null } | undefined> {
  const [row] = await query(`select ${shown} as scheduled_at, plan from campaign_contacts where id = $1`, [
    id,
  ]);
  return row as Awaited<ReturnType<typeof findEnrolment>>;
}

/** Notes that all is scheduled, and tells since when; nothing where the contact was taken out meanwhile. */
export async function noteScheduled(query: Query, id: number, at: Date): Promise<string | null> {
  const [row] = await query(
    `update campaign_contacts set scheduled_at = coalesce(scheduled_at, $2::timestamptz), plan = null
     where id = $1 returning ${shown} as scheduled_at`,
    [id, at],
  );
  return row ? String(row.scheduled_at) : null;
}

/** One that a worker holds. Whoever takes it next has another number of attempts. */
export interface Taken extends Waiting {
  readonly attempts: number;
}

/** Takes some that should have been scheduled by now, the longest due first. Nobody else gets them for a while. */
export async function takeWaiting(query: Query, most: number): Promise<Taken[]> {
  const rows = await query(
    `with due as (
       select id from campaign_contacts where scheduled_at is null and next_attempt_at <= now()
       order by next_attempt_at, id limit $1 for update skip locked
     )
     update campaign_contacts set attempts = attempts + 1, next_attempt_at = now() + ${lease}
     from due where campaign_contacts.id = due.id
     returning campaign_contacts.id, campaign_contacts.attempts, campaign_contacts.plan`,
    [most],
  );
  return rows as unknown as Taken[];
}

/** Has one wait again, unless somebody else holds it by now. */
export async function putOff(query: Query, { id, attempts }: Taken, seconds: number): Promise<void> {
  await query(
    `update campaign_contacts set next_attempt_at = now() + make_interval(secs => $3::float8)
     where id = $1 and attempts = $2 and scheduled_at is null`,
    [id, attempts, seconds],
  );
}

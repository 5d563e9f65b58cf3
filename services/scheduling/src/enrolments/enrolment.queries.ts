import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const Enrolment = z.object({
  campaign_contact_id: z.int(),
  campaign_id: z.int(),
  contact_id: z.int(),
  user_id: z.int(),
});

/** A contact in a campaign. */
export type Enrolment = z.output<typeof Enrolment>;

const Counts = z.object({ communications: z.int(), tasks: z.int() });

/** How much was created, or removed, for a contact in a campaign. */
export type Counts = z.output<typeof Counts>;

/**
 * Stores an enrolment, or returns what was created for it before. Of two requests at once, the second waits for the
 * first.
 */
export async function insertEnrolment(
  query: Query,
  { campaign_contact_id, campaign_id, contact_id, user_id }: Enrolment,
  { communications, tasks }: Counts,
  now: Date,
): Promise<Counts | undefined> {
  const [inserted] = await query(
    `insert into enrolments (campaign_contact_id, campaign_id, contact_id, user_id, communications, tasks, created_at)
     values ($1::int, $2::int, $3::int, $4::int, $5::int, $6::int, $7::timestamptz)
     on conflict do nothing returning campaign_contact_id`,
    [campaign_contact_id, campaign_id, contact_id, user_id, communications, tasks, now.toISOString()],
  );
  if (inserted) return undefined;
  const [before] = await queryRows(
    query,
    Counts,
    'select communications, tasks from enrolments where campaign_contact_id = $1::int',
    [campaign_contact_id],
  );
  if (!before) throw new Error(`Enrolment ${campaign_contact_id} could not be stored, and does not exist.`);
  return before;
}

/** What is stopped: a contact in a campaign, or all contacts in a campaign. */
export type StopScope = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

const columnAndId = (scope: StopScope) =>
  'campaign_id' in scope
    ? (['campaign_id', scope.campaign_id] as const)
    : (['campaign_contact_id', scope.campaign_contact_id] as const);

export async function removeEnrolments(query: Query, scope: StopScope): Promise<Enrolment[]> {
  const [column, id] = columnAndId(scope);
  return queryRows(
    query,
    Enrolment,
    `delete from enrolments where ${column} = $1::int
     returning campaign_contact_id, campaign_id, contact_id, user_id`,
    [id],
  );
}

/** Removes what has not been sent yet, and returns how much it was. What is being sent stays. */
export async function removeUnsent(query: Query, scope: StopScope): Promise<number> {
  const [column, id] = columnAndId(scope);
  const rows = await query(
    `with locked as (
       select id from communications where ${column} = $1::int and is_active
         and (dispatch_state in ('Scheduled', 'Failed', 'Dropped') or dispatch_state = 'Sending' and begun_at is null)
       order by id for update
     )
     delete from communications using locked where communications.id = locked.id returning communications.id`,
    [id],
  );
  return rows.length;
}

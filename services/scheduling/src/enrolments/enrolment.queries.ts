import { hasRows, type Query, queryFirst, queryRows, restoredAt, storedDate } from '@crm/data';
import { z } from 'zod';
import type { EndScope } from '../enrolment-ends/enrolment-end.queries.ts';

const Enrolment = z.object({
  campaign_contact_id: z.int(),
  campaign_id: z.int(),
  contact_id: z.int(),
  user_id: z.int(),
});

/** A contact in a campaign. */
export type Enrolment = z.output<typeof Enrolment>;

/** A contact in a campaign, and the delegation under which a broker put it there. */
type DelegatedEnrolment = Enrolment & { readonly delegation_id: number | null };

const Counts = z.object({ communications: z.int(), tasks: z.int() });

/** How much was created, or removed, for a contact in a campaign. */
export type Counts = z.output<typeof Counts>;

const Inserted = z.object({ restored_at: storedDate.nullable() });

/**
 * Stores an enrolment and returns when the system was last restored, or what was created for the enrolment before. Of two
 * concurrent requests, the second waits for the first.
 */
export async function insertEnrolment(
  query: Query,
  { campaign_contact_id, campaign_id, contact_id, user_id, delegation_id }: DelegatedEnrolment,
  { communications, tasks }: Counts,
  now: Date,
): Promise<z.output<typeof Inserted> | { readonly before: Counts }> {
  const inserted = await queryFirst(
    query,
    Inserted,
    `insert into enrolments (campaign_contact_id, campaign_id, contact_id, user_id, delegation_id, communications, tasks, created_at)
     values ($1::int, $2::int, $3::int, $4::int, $5::int, $6::int, $7::int, $8::timestamptz)
     on conflict do nothing returning ${restoredAt} as restored_at`,
    [
      campaign_contact_id,
      campaign_id,
      contact_id,
      user_id,
      delegation_id,
      communications,
      tasks,
      now.toISOString(),
    ],
  );
  if (inserted) return inserted;
  const before = await queryFirst(
    query,
    Counts,
    'select communications, tasks from enrolments where campaign_contact_id = $1::int',
    [campaign_contact_id],
  );
  if (!before) throw new Error(`Enrolment ${campaign_contact_id} could not be stored, and does not exist.`);
  return { before };
}

/** What is stopped: a contact in a campaign, or all contacts in a campaign. */
export type StopScope = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

export const endScopeOf = (scope: StopScope): EndScope =>
  'campaign_id' in scope
    ? { what: 'campaign', id: scope.campaign_id }
    : { what: 'campaign contact', id: scope.campaign_contact_id };

const CampaignContact = Enrolment.pick({ campaign_contact_id: true });

/** Some contacts of a stopped campaign whose rows were not removed, or the stopped campaign contact itself. */
export async function someCampaignContacts(
  query: Query,
  { what, id }: EndScope,
  limit: number,
): Promise<number[]> {
  if (what === 'campaign contact') return [id];
  const rows = await queryRows(
    query,
    CampaignContact,
    'select campaign_contact_id from enrolments where campaign_id = $1::int limit $2::int',
    [id, limit],
  );
  return rows.map(({ campaign_contact_id }) => campaign_contact_id);
}

export async function removeEnrolments(
  query: Query,
  campaignContacts: readonly number[],
): Promise<Enrolment[]> {
  return queryRows(
    query,
    Enrolment,
    `delete from enrolments where campaign_contact_id = any($1::int[])
     returning campaign_contact_id, campaign_id, contact_id, user_id`,
    [campaignContacts],
  );
}

const isUnsent = `is_active and doubtful_since is null
  and (dispatch_state in ('Scheduled', 'Failed', 'Dropped') or dispatch_state = 'Sending' and begun_at is null)`;

const columns = { campaign: 'campaign_id', 'campaign contact': 'campaign_contact_id', contact: 'contact_id' };

/**
 * Removes some of the unsent messages to some contacts in a campaign, and returns how many; without contacts, some of the
 * remaining ones of the scope. Messages that are being sent are kept, and locked ones are left for later.
 */
export async function removeUnsent(
  query: Query,
  { what, id }: EndScope,
  campaignContacts: readonly number[],
  limit: number,
): Promise<number> {
  const [isOfThem, value] =
    campaignContacts.length > 0
      ? ['campaign_contact_id = any($1::int[])', campaignContacts]
      : [`${columns[what]} = $1::int`, id];
  const rows = await query(
    `with locked as (
       select id from communications where ${isOfThem} and ${isUnsent}
       order by id limit $2::int for update skip locked
     )
     delete from communications using locked where communications.id = locked.id returning communications.id`,
    [value, limit],
  );
  return rows.length;
}

/** Whether a scope still has anything to be sent. */
export function isAnythingUnsent(query: Query, { what, id }: EndScope): Promise<boolean> {
  return hasRows(
    query,
    `select from communications where ${columns[what]} = $1::int and ${isUnsent} limit 1`,
    [id],
  );
}

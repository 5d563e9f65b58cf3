import { isBeforeRestoration, type Query } from '@crm/data';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { causeText } from '@crm/service';
import { z } from 'zod';
import { type RouteProblem, routeProblem } from '../lead-routes/lead-route.api.ts';

/** What some routes of a user may have lost, and when. */
export interface Loss {
  readonly problems: readonly RouteProblem[];
  /** Whose routes; all others' than one user's, if `except` is given instead. */
  readonly creator?: number;
  readonly except?: number | null;
  /** Who has caused it, and is not told. */
  readonly causedBy: number | undefined;
  /** Which record; everything that the routes name if not given. */
  readonly reference?: number;
  /** When the event occurred that tells of it. */
  readonly at: string;
  readonly requestId: string;
}

/** What a route `r` names, by what is wrong when it is lost. */
const references = `(values
  ('Team removed', r.team_id), ('Campaign not available', r.campaign_id),
  ('Lead source not available', r.lead_source_id), ('Contact source removed', r.contact_source_id)
) as named (problem, reference_id)`;

/** From, in SQL, the routes `r` that name what an alert is about. */
const routesNaming = (alert: string) => `lead_routes r cross join lateral ${references}
  where r.creator_user_id = ${alert}.owner_user_id
    and named.problem = ${alert}.problem and named.reference_id = ${alert}.reference_id`;

/**
 * Has the creators of routes told by e-mail of what their routes have lost, once for each reference. Whether it is lost
 * is asked when the e-mail is due: an event may tell of a change that leaves it to its users. So an alert that was
 * dropped is due anew, and one that is not begun loses its lease, because what is known about it may be older than this
 * event.
 */
export async function addRouteAlerts(query: Query, loss: Loss): Promise<void> {
  const { problems, creator = null, except = null, causedBy = null, reference = null, at, requestId } = loss;
  await query(
    `insert into lead_route_alerts as t (owner_user_id, problem, reference_id, occurred_at, cause)
     select distinct r.creator_user_id, named.problem, named.reference_id, $6::timestamptz, $7::jsonb
     from lead_routes r cross join lateral ${references}
     where named.problem = any($1::text[]) and named.reference_id is not null
       and ($2::int is null or r.creator_user_id = $2) and r.creator_user_id is distinct from $3::int
       and r.creator_user_id is distinct from $4::int
       and ($5::int is null or named.reference_id = $5)
     -- The same order for all, so that no two wait for each other.
     order by 1, 2, 3
     on conflict (owner_user_id, problem, reference_id) do update set
       state = 'Waiting', reason = null, lease_until = null, due_at = now(), next_attempt_at = now(),
       occurred_at = greatest(t.occurred_at, excluded.occurred_at), cause = excluded.cause
     where t.state = 'Dropped' or t.state in ('Waiting', 'Sending') and t.begun_at is null`,
    [problems, creator, except, causedBy, reference, at, causeText({ requestId })],
  );
}

export const DueRouteAlert = DueRow.extend({
  channel: z.literal('Email'),
  /** The creator of the routes. */
  user_id: z.int(),
  problem: routeProblem,
  reference_id: z.int(),
  /** Whose lead source it is about, if it is about one. */
  source_owner_user_id: z.int().nullable(),
  /** Whether it may have been told before a restoration. */
  is_withheld: z.boolean(),
  routes: z.array(z.object({ id: z.int(), filter: z.string().nullable(), source: z.string() })),
});

/** An alert with what it says about the routes. */
export type DueRouteAlert = z.output<typeof DueRouteAlert>;

export const routeAlertTable: DispatchTable = {
  ...usualNames,
  name: 'lead_route_alerts',
  lane: 'channel',
  sharedBy: 'owner_user_id',
  isWithheldWhenDue: true,
};

export const dueRouteAlertSelect = `
  select ${dueColumns('due_at')}, leased.channel, leased.owner_user_id as user_id, leased.problem, leased.reference_id,
    ${isBeforeRestoration('leased.occurred_at')} as is_withheld,
    (select s.user_id from lead_sources s
     where leased.problem = 'Lead source not available' and s.id = leased.reference_id) as source_owner_user_id,
    (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'filter', r.filter, 'source', (
       select s.name from lead_sources s where s.id = r.lead_source_id)) order by r.id), '[]')
     from ${routesNaming('leased')}) as routes
  from leased
  order by leased.due_at, leased.id`;

/** Why an alert about what no route names is not sent. */
export const unnamed = 'No lead route names it any longer.';

export const routeAlertCheck: FinalCheck = {
  obstacles: [{ when: `not exists (select from ${routesNaming('t')})`, state: 'Dropped', reason: unnamed }],
};

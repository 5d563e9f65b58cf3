import { isBeforeRestoration, type Query } from '@crm/data';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { causeText } from '@crm/service';
import { z } from 'zod';
import { type RouteProblem, routeProblem } from '../lead-routes/lead-route.api.ts';

/** A possible loss of references by lead routes. */
export interface Loss {
  readonly problems: readonly RouteProblem[];
  /** The creator of the routes; if `except` is given instead, all creators but that user. */
  readonly creator?: number;
  readonly except?: number | null;
  /** The user who caused the loss and is not alerted. */
  readonly causedBy: number | undefined;
  /** The lost record; if not given, everything that the routes refer to. */
  readonly reference?: number;
  /** The time of the event that reports the loss. */
  readonly at: string;
  readonly requestId: string;
}

/** The records that a route `r` refers to, with the problem if one is lost. */
const references = `(values
  ('Team removed', r.team_id), ('Campaign not available', r.campaign_id),
  ('Lead source not available', r.lead_source_id), ('Contact source removed', r.contact_source_id)
) as named (problem, reference_id)`;

/** SQL after `from`: the routes `r` that refer to the record of an alert. */
const routesNaming = (alert: string) => `lead_routes r cross join lateral ${references}
  where r.creator_user_id = ${alert}.owner_user_id
    and named.problem = ${alert}.problem and named.reference_id = ${alert}.reference_id`;

/**
 * Adds e-mails to the creators of routes about a possible loss, one for each reference. The loss is checked when the
 * e-mail is due, because the change in the event may leave the reference usable. Therefore an alert that was dropped
 * becomes due again, and one whose sending has not begun loses its lease, because its check may be older than this
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
     -- One order for all, so that two transactions never deadlock.
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
  /** The owner of the lead source, in an alert about a lead source. */
  source_owner_user_id: z.int().nullable(),
  /** True if the alert may have been sent before a restoration. */
  is_withheld: z.boolean(),
  routes: z.array(z.object({ id: z.int(), filter: z.string().nullable(), source: z.string() })),
});

/** An alert with the routes that it is about. */
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

/** Why an alert is dropped if no route refers to its record. */
export const unnamed = 'No lead route refers to it any longer.';

export const routeAlertCheck: FinalCheck = {
  obstacles: [{ when: `not exists (select from ${routesNaming('t')})`, state: 'Dropped', reason: unnamed }],
};

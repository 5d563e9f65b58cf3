import { isBeforeRestoration, type Query, withheldReason } from '@crm/data';
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
  /** Which record; everything that the routes name if not given. */
  readonly reference?: number;
  /** When the event occurred that tells of it. */
  readonly at: string;
  readonly requestId: string;
}

/** What a route names, by what is wrong when it is lost. */
const references = (route: string) => `(values
  ('Team removed', ${route}.team_id), ('Campaign not available', ${route}.campaign_id),
  ('Lead source not available', ${route}.lead_source_id), ('Contact source removed', ${route}.contact_source_id)
) as named (problem, reference_id)`;

const isWithheld = isBeforeRestoration('$5::timestamptz');

/**
 * Has the creators of routes told by e-mail of what their routes have lost, once for each reference. Whether it is lost is asked when
 * the e-mail is due: an event may tell of a change that leaves it to its users. What was lost before a restoration may have been told.
 */
export async function addRouteAlerts(query: Query, loss: Loss): Promise<void> {
  const { problems, creator = null, except = null, reference = null, at, requestId } = loss;
  await query(
    `insert into lead_route_alerts (lead_route_id, owner_user_id, problem, reference_id, cause, state, reason)
     select r.id, r.creator_user_id, named.problem, named.reference_id, $6::jsonb,
       case when ${isWithheld} then 'Failed' else 'Waiting' end, case when ${isWithheld} then $7::text end
     from lead_routes r cross join lateral ${references('r')}
     where named.problem = any($1::text[]) and named.reference_id is not null
       and ($2::int is null or r.creator_user_id = $2) and ($3::int is null or r.creator_user_id <> $3)
       and ($4::int is null or named.reference_id = $4)
     order by r.id
     on conflict (lead_route_id, problem, reference_id) where state <> 'Dropped' do nothing`,
    [problems, creator, except, reference, at, causeText({ requestId }), withheldReason],
  );
}

export const DueRouteAlert = DueRow.extend({
  channel: z.literal('Email'),
  /** The creator of the route. */
  user_id: z.int(),
  problem: routeProblem,
  reference_id: z.int(),
  lead_route_id: z.int(),
  filter: z.string().nullable(),
  source: z.string(),
  source_owner_user_id: z.int(),
});

/** An alert with what it says about its route. */
export type DueRouteAlert = z.output<typeof DueRouteAlert>;

export const routeAlertTable: DispatchTable = {
  ...usualNames,
  name: 'lead_route_alerts',
  lane: 'channel',
  sharedBy: 'owner_user_id',
};

export const dueRouteAlertSelect = `
  select ${dueColumns('due_at')}, leased.channel, leased.owner_user_id as user_id, leased.problem, leased.reference_id,
    r.id as lead_route_id, r.filter, s.name as source, s.user_id as source_owner_user_id
  from leased
  join lead_routes r on r.id = leased.lead_route_id
  join lead_sources s on s.id = r.lead_source_id
  order by leased.due_at, leased.id`;

export const routeAlertCheck: FinalCheck = {
  obstacles: [
    {
      when: `not exists (
        select from lead_routes r cross join lateral ${references('r')}
        where r.id = t.lead_route_id and named.problem = t.problem and named.reference_id = t.reference_id)`,
      state: 'Dropped',
      reason: 'The lead route no longer names it.',
    },
  ],
};

import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { Settled, settledColumnsOf } from './communication-dispatch.queries.ts';
import { maxDelay } from './to-be-sent.queries.ts';

/** In milliseconds since 1970. */
const milliseconds = z.number();

const isNotPostponed = (table: string) => `coalesce(${table}.postponed_until, '-infinity') <= now()`;

const LateCommunication = z.object({
  id: z.int(),
  contact_id: z.int(),
  type: z.enum(communicationTypes),
  timezone: z.string(),
  isPending: z.boolean(),
  isLate: z.boolean(),
  send_at: milliseconds,
  first_send_at: milliseconds,
  now: milliseconds,
});

/** A message that was missed, or that was moved because it was missed before. */
export type LateCommunication = z.output<typeof LateCommunication>;

/**
 * Messages that are too late, with all messages of the same types to the same contacts that were moved before, locked until the
 * transaction ends. Another instance that searches meanwhile waits, and then finds them moved.
 */
export async function lockLate(query: Query): Promise<LateCommunication[]> {
  return queryRows(
    query,
    LateCommunication,
    `with late as (
       select distinct contact_id, type from (
         select contact_id, type from communications
         where dispatch_state = 'Scheduled' and send_at <= now() - ${maxDelay}
           and ${isNotPostponed('communications')}
         order by send_at limit 500
       ) first
     )
     select c.id, c.contact_id, c.type, c.timezone, c.dispatch_state = 'Scheduled' as "isPending",
       c.dispatch_state = 'Scheduled' and c.send_at <= now() - ${maxDelay} as "isLate",
       extract(epoch from c.send_at)::float8 * 1000 as send_at,
       extract(epoch from coalesce(c.first_send_at, c.send_at))::float8 * 1000 as first_send_at,
       extract(epoch from now())::float8 * 1000 as now
     from late join communications c on c.contact_id = late.contact_id and c.type = late.type
     where ${isNotPostponed('c')} and case
       when c.dispatch_state = 'Scheduled' then c.first_send_at is not null or c.send_at <= now() - ${maxDelay}
       else c.first_send_at is not null and c.send_at > now() - interval '2 days'
     end
     order by c.id for update of c`,
    [],
  );
}

interface NewMoment {
  readonly id: number;
  readonly send_at: string;
}

export async function moveCommunications(query: Query, moves: readonly NewMoment[]): Promise<Settled[]> {
  return queryRows(
    query,
    Settled,
    `update communications c set
       first_send_at = coalesce(c.first_send_at, c.send_at), send_at = move.send_at, next_attempt_at = move.send_at,
       problem = null, modified_at = now(), version = c.version + 1
     from jsonb_to_recordset($1::jsonb) move (id integer, send_at timestamptz) where c.id = move.id
     returning ${settledColumnsOf('c')}`,
    [JSON.stringify(moves)],
  );
}

/**
 * Gives up messages for a reason, followed by that of the last failed attempt, if any. A message that an earlier attempt may have
 * sent becomes unknown, and its provider is asked.
 */
export async function giveUp(query: Query, ids: readonly number[], reason: string): Promise<Settled[]> {
  return queryRows(
    query,
    Settled,
    `update communications c set
       dispatch_state = case when c.doubtful_since is null then 'Failed' else 'Unknown' end,
       dispatch_reason = left(concat_ws(' ', $2::text, c.dispatch_reason), 500),
       begun_at = coalesce(c.doubtful_since, c.begun_at), next_attempt_at = now(),
       modified_at = now(), version = c.version + 1
     where c.id = any($1::int[])
     returning ${settledColumnsOf('c')}`,
    [ids, reason],
  );
}

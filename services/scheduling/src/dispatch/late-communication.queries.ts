import type { Query } from '@crm/data';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import { type Settled, settledColumns, tooLate } from './communication-dispatch.queries.ts';

/** A message that was missed, or one that was moved because it was. */
export interface LateCommunication {
  readonly id: number;
  readonly contact_id: number;
  readonly type: CommunicationType;
  readonly timezone: string;
  readonly isPending: boolean;
  readonly isLate: boolean;
  /** In milliseconds since 1970, like the others. */
  readonly send_at: number;
  readonly first_send_at: number;
  readonly now: number;
}

/**
 * Messages that are too late, with all of the same types to the same contacts that were moved before, held until the
 * transaction ends. Another instance that looks at the same moment waits, and then finds them moved.
 */
export async function holdLate(query: Query): Promise<readonly LateCommunication[]> {
  const rows = await query(
    `with late as (
       select distinct contact_id, type from (
         select contact_id, type from communications
         where dispatch_state = 'Scheduled' and send_at <= now() - ${tooLate}
         order by send_at limit 500
       ) first
     )
     select c.id, c.contact_id, c.type, c.timezone, c.dispatch_state = 'Scheduled' as "isPending",
       c.dispatch_state = 'Scheduled' and c.send_at <= now() - ${tooLate} as "isLate",
       extract(epoch from c.send_at)::float8 * 1000 as send_at,
       extract(epoch from coalesce(c.first_send_at, c.send_at))::float8 * 1000 as first_send_at,
       extract(epoch from now())::float8 * 1000 as now
     from late join communications c on c.contact_id = late.contact_id and c.type = late.type
     where case
       when c.dispatch_state = 'Scheduled' then c.first_send_at is not null or c.send_at <= now() - ${tooLate}
       else c.first_send_at is not null and c.send_at > now() - interval '2 days'
     end
     order by c.id for update of c`,
    [],
  );
  return rows as unknown as readonly LateCommunication[];
}

interface NewMoment {
  readonly id: number;
  readonly send_at: string;
}

export async function moveCommunications(query: Query, moves: readonly NewMoment[]): Promise<Settled[]> {
  const rows = await query(
    `update communications c set
       first_send_at = coalesce(c.first_send_at, c.send_at), send_at = move.send_at, next_attempt_at = move.send_at,
       modified_at = now(), version = c.version + 1
     from jsonb_to_recordset($1::jsonb) move (id integer, send_at timestamptz) where c.id = move.id
     returning ${settledColumns}`,
    [JSON.stringify(moves)],
  );
  return rows as unknown as Settled[];
}

/** Gives messages up, with the reason for which the last attempt failed, if there was one. */
export async function giveUp(query: Query, ids: readonly number[], reason: string): Promise<Settled[]> {
  const rows = await query(
    `update communications c set
       dispatch_state = 'Failed', dispatch_reason = left(concat_ws(' ', $2::text, c.dispatch_reason), 500),
       modified_at = now(), version = c.version + 1
     where c.id = any($1::int[])
     returning ${settledColumns}`,
    [ids, reason],
  );
  return rows as unknown as Settled[];
}

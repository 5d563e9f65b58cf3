import { type Query, queryFirst, queryRows } from '@crm/data';
import { z } from 'zod';
import { isOptedOut } from '../contacts/opt-out-source.queries.ts';
import { optOutApi } from './opt-out.api.ts';

interface Request {
  /** A number in E.164, or an e-mail address. */
  readonly destination: string;
  readonly at: string;
  readonly source: 'Reply' | 'List-Unsubscribe' | 'Bounce';
}

const OptOut = z.object({ id: z.int(), version: z.int() });

/**
 * SQL for the source of an opt-out after a request: that of the request that counts. A bounce does not hide that the person
 * asked not to get messages.
 */
const sourceAfter = `case when excluded.since < opt_outs.ended_at or excluded.ended_at <= opt_outs.since
    or excluded.source = 'Bounce' and ${isOptedOut}
  then opt_outs.source else excluded.source end`;

/**
 * Stores the latest request of each kind per number or address, so that a repeated or late request changes nothing. Returns the
 * opt-out if it was changed.
 */
export function recordRequest(
  query: Query,
  column: 'since' | 'ended_at',
  { destination, at, source }: Request,
) {
  return queryFirst(
    query,
    OptOut,
    `insert into opt_outs (destination, ${column}, source) values (lower($1), $2, $3)
     on conflict (destination) do update set
       ${column} = greatest(opt_outs.${column}, excluded.${column}), source = ${sourceAfter}, version = opt_outs.version + 1
     where opt_outs.${column} is null or opt_outs.${column} < excluded.${column}
       -- A STOP may be known only after a bounce that came later.
       or opt_outs.source = 'Bounce' and excluded.source <> 'Bounce'
         and (opt_outs.ended_at is null or excluded.since >= opt_outs.ended_at)
     returning id, version`,
    [destination, at, source],
  );
}

const Destination = z.object({ destination: z.string() });

export async function optedOutAmong(query: Query, numbers: readonly string[]): Promise<string[]> {
  const rows = await queryRows(
    query,
    Destination,
    `select destination from opt_outs where destination = any($1::text[]) and ${isOptedOut} order by destination`,
    [numbers],
  );
  return rows.map(({ destination }) => destination);
}

/**
 * Those of the numbers whose owners have asked by text to be left alone, once each. A number that texts do not reach may be
 * called, such as that of a landline.
 */
export function askedToBeLeftAlone(query: Query, numbers: readonly string[]) {
  return queryRows(
    query,
    optOutApi.askedToBeLeftAlone.output.element,
    `select number, case when bool_or(by = 'opting out') then 'opting out' else 'a sentence' end as by from (
       select destination as number, 'opting out' as by from opt_outs
       where destination = any($1::text[]) and source = 'Reply' and ${isOptedOut}
       union all
       select number, 'a sentence' from text_pauses where number = any($1::text[]) and ended_at is null
     ) asked group by number order by number`,
    [numbers],
  );
}

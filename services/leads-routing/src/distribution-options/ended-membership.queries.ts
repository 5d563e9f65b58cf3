import { Cause } from '@crm/contract';
import { type Query, queryRows } from '@crm/data';
import { causeText, type TransactionContext } from '@crm/service';
import { z } from 'zod';
import { requestTime } from '../request-time.ts';

/** A member who has left a team, or all members of a team that was removed. */
export interface Ended {
  readonly team_id: number;
  readonly user_id?: number;
}

/** Notes the end of a membership, for `removeLateOptions`. */
export async function noteEnded(ctx: TransactionContext, { team_id, user_id }: Ended): Promise<void> {
  await ctx.query(
    `insert into ended_memberships (team_id, user_id, ended_at, cause)
     values ($1::int, $2::int, $3::timestamptz, $4::jsonb)`,
    [team_id, user_id ?? null, ctx.now().toISOString(), causeText(ctx)],
  );
}

const EndedMembership = z.object({
  id: z.int(),
  team_id: z.int(),
  user_id: z.int().nullable(),
  cause: Cause.nullable(),
});
export type EndedMembership = z.output<typeof EndedMembership>;

/** The memberships that had ended before any request that still runs. */
export function endedMemberships(query: Query): Promise<EndedMembership[]> {
  return queryRows(
    query,
    EndedMembership,
    `select id, team_id, user_id, cause from ended_memberships
     where ended_at <= now() - ${requestTime} order by id limit 100`,
    [],
  );
}

/** When the next of them will be. */
export const membershipsToCome = `select ended_at + ${requestTime} as due_at from ended_memberships`;

export async function forgetEnded(query: Query, id: number): Promise<void> {
  await query('delete from ended_memberships where id = $1::int', [id]);
}

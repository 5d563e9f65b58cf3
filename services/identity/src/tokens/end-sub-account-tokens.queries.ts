import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import { isValidToken } from '../valid-token.queries.ts';
import { anyGeneration } from './generation.ts';

const Ended = z.object({ id: z.int(), version: z.int(), user_id: z.int(), broker_user_id: z.int() });

/**
 * Ends the tokens of all sub-accounts of brokers, and returns those that were valid. The generations change as well, so
 * that a token which another transaction is creating is refused once both have committed.
 */
export function endTokens(query: Query, brokerIds: readonly number[]) {
  return queryRows(
    query,
    Ended,
    `with locked as (
       select id, broker_user_id from sub_accounts where broker_user_id = any($1::int[]) order by id for update
     ), changed as (
       update sub_accounts set generation = ${anyGeneration} where id in (select id from locked)
     )
     update access_tokens t set revoked_at = now(), version = version + 1 from locked
     where t.sub_account_id = locked.id and ${isValidToken('t')}
     returning t.id, t.version, t.user_id, locked.broker_user_id`,
    [brokerIds],
  );
}

/** The brokers with sub-accounts who let one of these applications write for them, or own one. */
export function brokersUsing(query: Query, applicationIds: readonly number[]): Promise<number[]> {
  return queryIds(
    query,
    `select distinct s.broker_user_id as id from sub_accounts s
     where s.broker_user_id in (
       select user_id from consents
       where application_id = any($1::int[]) and 'write' = any(string_to_array(scope, ' '))
       union
       select user_id from access_tokens
       where application_id = any($1::int[]) and family_id is null and 'write' = any(string_to_array(scope, ' '))
     )`,
    [applicationIds],
  );
}

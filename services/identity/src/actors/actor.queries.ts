import { type Actor, hashOfToken, subAccountToken } from '@crm/auth';
import { brokerSwitches } from '@crm/contract';
import { hasRows, type Query, queryFirst, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import { isActiveBroker } from '../users/user.queries.ts';
import { isValidToken } from '../valid-token.queries.ts';

/** The switches of a sub-account, as its row and the actor contain them. */
const switches = brokerSwitches.map((name) => `'${name}', s.${name}`).join(', ');

/**
 * The user of a token. No row for a token that is unknown, revoked or expired, or of an application that is disabled or
 * whose owner is, nor for that of a sub-account whose user does not allow the broker to act, or whose broker is no
 * longer one.
 */
const holderOf = (which: 't.token_hash' | 't.id') => `
  select t.id as token_id, t.expires_at::text as token_expires_at, t.scope, a.client_id, d.id as delegation_id, d.broker_user_id as acting_user_id,
    t.sub_account_id, (select generation from sub_accounts where id = t.sub_account_id) as generation, u.*
  from access_tokens t join users u on u.id = t.user_id
  left join token_families f on f.id = t.family_id left join applications a on a.id = t.application_id
  left join users owner on owner.id = a.owner_user_id
  left join delegations d on d.sub_account_id = t.sub_account_id and d.state = 'active'
    and exists (select from users b where b.id = d.broker_user_id and ${isActiveBroker('b')})
  where ${which} = $1 and ${isValidToken('t')} and u.disabled_at is null
  and f.revoked_at is null and a.disabled_at is null and owner.disabled_at is null
  and (t.sub_account_id is null or d.id is not null)`;

/** The teams of the holder and everybody in them. */
const connections = `
  joined as (
    select teams.id, teams.creator_user_id, teams.is_contact_resource_sharing_enabled as sharing
    from (
      select id from teams where creator_user_id = (select id from holder)
      union
      select team_id from team_members
      where user_id = (select id from holder) and request_status = 'Accepted'
    ) own
    join teams on teams.id = own.id join users c on c.id = teams.creator_user_id
    where c.disabled_at is null
  ),
  mates as (
    select people.id, bool_or(people.sharing) as sharing
    from (
      select m.user_id as id, joined.sharing
      from joined join team_members m on m.team_id = joined.id and m.request_status = 'Accepted'
      union all
      select creator_user_id, sharing from joined
    ) people
    join users u on u.id = people.id and u.disabled_at is null
    where people.id <> (select id from holder) group by people.id
  )`;

/** A user without a token, with the read scope only. */
const userHolder = `
  select 0 as token_id, 'infinity' as token_expires_at, 'read' as scope, null as client_id, null::int as delegation_id, null::int as acting_user_id,
    null::int as sub_account_id, null::int as generation, u.*
  from users u where u.id = $1 and u.disabled_at is null`;

/**
 * A user and everybody the user's rights depend on, read in one statement and therefore consistent. There is no row for
 * a disabled user. Expiry is decided by the database's clock. A team whose creator is disabled connects nobody.
 */
const actorStatementOf = (holder: string) => `
  with holder as (${holder}
  ),
  ${connections}
  select holder.token_id, holder.token_expires_at, holder.sub_account_id, holder.generation, (select version from rights) as version, json_build_object(
    'id', holder.id,
    'timezone', holder.timezone,
    'scopes', string_to_array(holder.scope, ' '),
    'act', case when holder.delegation_id is not null then
      json_build_object('id', holder.acting_user_id, 'delegation_id', holder.delegation_id) end,
    'access', case when holder.token_id > 0 then
      json_build_object('token_id', holder.token_id, 'client_id', holder.client_id, 'address', null) end,
    'is_broker', holder.is_broker,
    'broker', (
      select json_build_object('id', s.broker_user_id, 'switches', json_build_object(${switches}))
      from sub_accounts s join users b on b.id = s.broker_user_id
      where s.user_id = holder.id and ${isActiveBroker('b')}
    ),
    'sub_account_user_ids', (
      select coalesce(json_agg(s.user_id order by s.user_id), '[]')
      from sub_accounts s join users u on u.id = s.user_id
      where s.broker_user_id = holder.id and holder.is_broker and u.disabled_at is null
    ),
    'team_ids', (select coalesce(json_agg(id order by id), '[]') from joined),
    'teammate_ids', (select coalesce(json_agg(id order by id), '[]') from mates),
    'sharing_teammate_ids', (select coalesce(json_agg(id order by id) filter (where sharing), '[]') from mates)
  )::text as actor
  from holder`;

const Resolved = z.object({
  token_id: z.int(),
  token_expires_at: z.string(),
  sub_account_id: z.int().nullable(),
  generation: z.int().nullable(),
  version: z.string(),
  actor: z.string(),
});

/** Exported for a test: a change of any table that this statement reads must change the version. */
export const byTokenHash = actorStatementOf(holderOf('t.token_hash'));
const byUserId = actorStatementOf(userHolder);

/** The actor who holds a token, and the version of all rights when the actor was read. */
export interface Holder {
  readonly actor: Actor;
  /** The actor as JSON. */
  readonly text: string;
  readonly tokenId: number;
  readonly expiresAt: string;
  readonly version: string;
}

/** The holder of a token. That of a sub-account must be derived from this key: when the key is replaced, others end. */
export async function actorByTokenHash(
  query: Query,
  hash: string,
  subAccountKey: string,
): Promise<Holder | undefined> {
  const row = await queryFirst(query, Resolved, byTokenHash, [hash]);
  if (!row || !isDerivedFrom(subAccountKey, row, hash)) return undefined;
  const { token_id: tokenId, token_expires_at: expiresAt, version, actor: text } = row;
  return { actor: JSON.parse(text) as Actor, text, tokenId, expiresAt, version };
}

function isDerivedFrom(key: string, { sub_account_id, generation }: z.output<typeof Resolved>, hash: string) {
  if (sub_account_id === null || generation === null) return sub_account_id === null;
  return hashOfToken(subAccountToken(key, sub_account_id, generation)) === hash;
}

/** Whether the token that a request came with would still be accepted. */
export const isAccepted = (query: Query, tokenId: number): Promise<boolean> =>
  hasRows(query, holderOf('t.id'), [tokenId]);

/** Returns for each holder true if nobody's rights have changed since it was read and the token has not expired. */
export async function areRightsAsIn(query: Query, holders: readonly Holder[]): Promise<boolean[]> {
  const found = await query(
    `select version = read_version and expires_at > now() as same
     from rights cross join unnest($1::uuid[], $2::timestamptz[]) with ordinality holders (read_version, expires_at, place)
     order by place`,
    [holders.map(({ version }) => version), holders.map(({ expiresAt }) => expiresAt)],
  );
  return holders.map((_, at) => found[at]?.same === true);
}

const RightsVersion = Resolved.pick({ version: true });

/** The version of all rights now. */
export async function versionOfRights(query: Query): Promise<string | undefined> {
  const row = await queryFirst(query, RightsVersion, 'select version from rights', []);
  return row?.version;
}

/** An actor without a token, and the version of all rights when the actor was read. */
export type KnownUser = Pick<Holder, 'actor' | 'version'>;

/** A user as an actor with the read scope only; undefined if the user is disabled or unknown. */
export async function actorByUserId(query: Query, id: number): Promise<KnownUser | undefined> {
  const row = await queryFirst(query, Resolved, byUserId, [id]);
  return row && { actor: JSON.parse(row.actor) as Actor, version: row.version };
}

const Standing = z.object({ id: z.int(), active_id: z.int() });

/**
 * Those of the delegations whose broker may act for their user now, with the delegation that is active: it may be a later one, if
 * the user has allowed the same broker again.
 */
export function standingDelegations(query: Query, ids: readonly number[]) {
  return queryRows(
    query,
    Standing,
    `select d.id, a.id as active_id from delegations d
     join delegations a on a.broker_user_id = d.broker_user_id and a.user_id = d.user_id and a.state = 'active'
     join users b on b.id = d.broker_user_id and ${isActiveBroker('b')}
     join users u on u.id = d.user_id and u.disabled_at is null
     where d.id = any($1::int[])`,
    [ids],
  );
}

/** The users with an active delegation to a broker, as long as the broker is one. */
export function usersActedFor(query: Query, brokerId: number): Promise<number[]> {
  return queryIds(
    query,
    `select d.user_id as id from delegations d join users b on b.id = d.broker_user_id and ${isActiveBroker('b')}
     where d.broker_user_id = $1 and d.state = 'active' order by d.user_id`,
    [brokerId],
  );
}

/** Stores when many tokens were last used. A write per request would cost more than the request. */
export async function noteUses(query: Query, uses: ReadonlyMap<number, Date>): Promise<void> {
  await query(
    `update access_tokens t set last_used_at = greatest(t.last_used_at, u.at)
     from unnest($1::int[], $2::timestamptz[]) as u (id, at) where t.id = u.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}

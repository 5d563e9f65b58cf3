import type { WebRequest } from '@crm/contract';
import { type Query, queryIds, queryRows, storedDate, untilFewer } from '@crm/data';
import { z } from 'zod';
import { nameOf } from '../users/user.queries.ts';

/**
 * The events that users are shown about the security of their accounts. Stored rows contain these words, so they must
 * not change.
 */
export const eventKinds = [
  'signed in',
  'signed in on a new device',
  'sign-in failed',
  'signed out a device',
  'signed out everywhere',
  'invited',
  'invited to a team',
  'password changed',
  'password reset',
  'password reset requested',
  'token created',
  'token revoked',
  'application registered',
  'application allowed',
  'application withdrawn',
  'refresh token repeated',
  'refresh token misused',
  'broker allowed',
  'broker ended',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** The part of a request that says where it came from. */
export type Origin = Pick<WebRequest, 'address' | 'headers'>;

/** The address and the browser that a request came from, cut to the stored length. */
export const deviceOf = ({ address, headers }: Origin) => ({
  address: address.slice(0, 45),
  userAgent: headers['user-agent']?.replaceAll('\0', '').slice(0, 255),
});

export interface Occurrence {
  readonly userId: number;
  readonly kind: EventKind;
  /** Undefined for actions of the operator. */
  readonly origin: Origin | undefined;
  readonly applicationId?: number;
  readonly accessTokenId?: number;
  readonly delegationId?: number;
  readonly teamMemberId?: number;
}

/** Adds an event, in the transaction of the action it records. Returns its id. */
export async function recordEvent(query: Query, event: Occurrence): Promise<number> {
  const { userId, kind, origin, applicationId, accessTokenId, delegationId, teamMemberId } = event;
  const device = origin && deviceOf(origin);
  const [id] = await queryIds(
    query,
    `insert into security_events
       (user_id, kind, happened_at, address, user_agent, application_id, access_token_id, delegation_id, team_member_id)
     values ($1, $2, clock_timestamp(), $3, $4, $5::int, $6::int, $7::int, $8::int) returning id`,
    [
      userId,
      kind,
      device?.address,
      device?.userAgent,
      applicationId,
      accessTokenId,
      delegationId,
      teamMemberId,
    ],
  );
  return id ?? 0;
}

const Noted = z.object({
  kind: z.enum(eventKinds),
  happened_at: storedDate,
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** The name of the application, token, team or broker that the event is about, if it still exists. */
  about: z.string().nullable(),
});
export type NotedEvent = Readonly<z.output<typeof Noted>>;

/**
 * The latest events of a user, newest first. Failed sign-ins have a limit of their own, because anybody can cause them
 * and they must not hide the others.
 */
export function recentEvents(query: Query, userId: number): Promise<NotedEvent[]> {
  return queryRows(
    query,
    Noted,
    `select e.kind, e.happened_at, e.address, e.user_agent, coalesce(t.name, a.name, team.name, ${nameOf('b')}) as about
     from (
       (select * from security_events where user_id = $1 and kind <> 'sign-in failed' order by id desc limit 50)
       union all
       (select * from security_events where user_id = $1 and kind = 'sign-in failed' order by id desc limit 10)
     ) e
     left join access_tokens t on t.id = e.access_token_id left join applications a on a.id = e.application_id
     left join team_members m on m.id = e.team_member_id left join teams team on team.id = m.team_id
     left join delegations d on d.id = e.delegation_id left join users b on b.id = d.broker_user_id
     order by e.id desc`,
    [userId],
  );
}

/** The number of days for which security events are kept. */
export const keptDays = 400;

export async function forgetOldEvents(query: Query): Promise<void> {
  await untilFewer(1_000, (most) =>
    query(
      `delete from security_events where id = any(array(
         select id from security_events where happened_at < now() - $1 * interval '1 day'
         order by happened_at limit $2))
       returning id`,
      [keptDays, most],
    ),
  );
}

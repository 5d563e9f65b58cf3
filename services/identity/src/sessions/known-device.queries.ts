import { hashOfToken } from '@crm/auth';
import { hasRows, type Query, queryRow, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';
import { deviceOf, type Origin } from '../security-events/security-event.queries.ts';
import { maxIdle } from './session.queries.ts';

/** The longest time for which browsers keep a cookie. */
export const deviceLifeSeconds = 400 * 86_400;

interface Using {
  readonly secret: string;
  readonly userId: number;
  readonly request: Origin;
}

const RememberedDevice = z.object({ id: z.int(), is_new: z.boolean() });

/** Records that a user has signed in with a browser. */
export function rememberDevice(
  query: Query,
  { secret, userId, request }: Using,
): Promise<{ readonly id: number; readonly is_new: boolean }> {
  const { address, userAgent } = deviceOf(request);
  return queryRow(
    query,
    RememberedDevice,
    `insert into known_devices as d (secret_hash, user_id, address, user_agent, created_at, last_used_at)
     values ($1, $2, $3, $4, now(), now())
     on conflict (secret_hash, user_id) do update set
       address = excluded.address, user_agent = excluded.user_agent, last_used_at = excluded.last_used_at
     returning id, xmax = 0 as is_new`,
    [hashOfToken(secret), userId, address, userAgent],
  );
}

/** Returns true if the user with this e-mail address, in lower case, has signed in with this browser. */
export function isKnownDevice(query: Query, secret: string, email: string): Promise<boolean> {
  return hasRows(
    query,
    `select from known_devices d join users u on u.id = d.user_id
     where d.secret_hash = $1 and lower(u.email) = $2`,
    [hashOfToken(secret), email],
  );
}

const Device = z.object({
  id: z.int(),
  address: z.string(),
  user_agent: z.string().nullable(),
  last_used_at: storedDate,
  is_signed_in: z.boolean(),
  is_current: z.boolean(),
});

/** A browser of a user, as shown to the user. */
export type KnownDevice = Readonly<z.output<typeof Device>>;

/** A program that keeps no cookies is another browser each time it signs in. */
export const maxDevices = 100;

/** The browsers with which a user has signed in, the one with the given session first, and not more than these. */
export function devicesOf(query: Query, userId: number, sessionSecret: string): Promise<KnownDevice[]> {
  return queryRows(
    query,
    Device,
    `select d.id, d.address, d.user_agent, greatest(d.last_used_at, s.last_seen_at) as last_used_at,
       s.secret_hash is not null as is_signed_in, coalesce(s.secret_hash = $2, false) as is_current
     from known_devices d left join lateral (
       select secret_hash, last_seen_at from sessions
       where device_id = d.id and expires_at > now() and last_seen_at > now() - interval '${maxIdle}'
       order by secret_hash = $2 desc limit 1
     ) s on true
     where d.user_id = $1 order by is_current desc, last_used_at desc limit $3`,
    [userId, hashOfToken(sessionSecret), maxDevices],
  );
}

/** Forgets a browser of a user and ends its session. Returns false if there was none. */
export function forgetDevice(query: Query, userId: number, id: number): Promise<boolean> {
  return hasRows(query, 'delete from known_devices where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ]);
}

/** Forgets all browsers of a user and ends their sessions. */
export async function forgetDevicesOf(query: Query, userId: number): Promise<void> {
  await query('delete from known_devices where user_id = $1', [userId]);
}

export async function forgetUnusedDevices(query: Query): Promise<void> {
  await query("delete from known_devices where last_used_at < now() - $1 * interval '1 s'", [
    deviceLifeSeconds,
  ]);
}

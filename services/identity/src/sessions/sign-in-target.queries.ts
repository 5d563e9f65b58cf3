import { hashOfToken } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** Where somebody continues after signing in. */
export interface SignInTarget {
  /** A path of our origin with its query. */
  readonly path: string;
  /** The origin of an application that the path may redirect to. */
  readonly leadsTo: string | null;
}

const Target = z.object({ path: z.string(), leadsTo: z.string().nullable() });

/** Time to find a password and type it. */
const lifetime = '1 hour';
export const maxPathLength = 8192;

/**
 * Stores a target under an id that cannot be guessed, so that nobody can send a browser to a target of their choice.
 */
export async function keepTarget(query: Query, id: string, { path, leadsTo }: SignInTarget): Promise<void> {
  await query(
    `insert into sign_in_targets (id_hash, path, leads_to, expires_at)
     values ($1, $2, $3, now() + interval '${lifetime}')`,
    [hashOfToken(id), path, leadsTo],
  );
}

export async function targetById(query: Query, id: string): Promise<SignInTarget | undefined> {
  const [target] = await queryRows(
    query,
    Target,
    'select path, leads_to as "leadsTo" from sign_in_targets where id_hash = $1 and expires_at > now()',
    [hashOfToken(id)],
  );
  return target;
}

export async function forgetTarget(query: Query, id: string): Promise<void> {
  await query('delete from sign_in_targets where id_hash = $1', [hashOfToken(id)]);
}

export async function forgetOldTargets(query: Query): Promise<void> {
  await query('delete from sign_in_targets where expires_at < now()', []);
}

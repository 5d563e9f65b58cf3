import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';

/** Where somebody wanted to go who has to sign in first. */
export interface SignInTarget {
  /** A path of ours with its query. */
  readonly path: string;
  /** The origin that the path may lead on to, which has approved it by registering. */
  readonly leadsTo: string | null;
}

/** Time to find a password and to type it. */
const lifetime = '1 hour';
export const longestPath = 8192;

/** Keeps a target under an id that cannot be guessed: a browser never brings one of its own. */
export async function keepTarget(query: Query, id: string, { path, leadsTo }: SignInTarget): Promise<void> {
  await query(
    `insert into sign_in_targets (id_hash, path, leads_to, expires_at)
     values ($1, $2, $3, now() + interval '${lifetime}')`,
    [hashOfToken(id), path, leadsTo],
  );
}

export async function targetById(query: Query, id: string): Promise<SignInTarget | undefined> {
  const [row] = await query(
    'select path, leads_to from sign_in_targets where id_hash = $1 and expires_at > now()',
    [hashOfToken(id)],
  );
  return row && { path: String(row.path), leadsTo: row.leads_to === null ? null : String(row.leads_to) };
}

export async function forgetTarget(query: Query, id: string): Promise<void> {
  await query('delete from sign_in_targets where id_hash = $1', [hashOfToken(id)]);
}

export async function forgetOldTargets(query: Query): Promise<void> {
  await query('delete from sign_in_targets where expires_at < now()', []);
}

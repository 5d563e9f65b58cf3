import { createHash } from 'node:crypto';
import { invalidField, keyReused, type Problem, stillRunning } from '@crm/contract';
import { type Query, untilFewer } from '@crm/data';

/** Each service stores the responses of its mutations, in the transaction of the mutation. */
export const idempotencyTables = `
  create table idempotency_keys (
    actor text not null,
    operation text not null,
    key text not null,
    request_hash text not null,
    answer text,
    problem jsonb,
    created_at timestamptz not null,
    primary key (actor, operation, key)
  );
  create index idempotency_keys_created_at on idempotency_keys (created_at);
`;

export interface KeyedRequest {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
  readonly input: unknown;
}

export type Stored = { readonly answer: string } | { readonly problem: Problem };

/** Validates a key: 1 to 255 printable characters. */
export function readIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return key;
  throw invalidField('Idempotency-Key', 'must have 1 to 255 printable characters');
}

/**
 * Locks a key until the transaction ends, and returns what was stored under it in the last 24 hours. Throws while another
 * request has the lock, and if the key was used for a different request.
 */
export async function lockKey(query: Query, request: KeyedRequest, now: Date): Promise<Stored | undefined> {
  const { actor, operation, key } = request;
  const locking = query('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked', [
    `idempotency ${actor} ${operation} ${key}`,
  ]);
  // Sent together. The second statement sees what was committed before the lock was released.
  const [[lock], stored] = await Promise.all([locking, findAnswer(query, request, now)]);
  if (!lock?.locked) throw stillRunning({ retryAfter: 1 });
  return stored;
}

/** What was stored under a key in the last 24 hours. Throws if the key was used for a different request. */
export async function findAnswer(
  query: Query,
  request: KeyedRequest,
  now: Date,
): Promise<Stored | undefined> {
  const { actor, operation, key } = request;
  const [row] = await query(
    `select request_hash, answer, problem from idempotency_keys
     where actor = $1 and operation = $2 and key = $3 and created_at > $4::timestamptz - interval '24 hours'`,
    [actor, operation, key, now],
  );
  if (!row) return undefined;
  if (row.request_hash !== hashOf(request.input)) throw keyReused();
  return typeof row.answer === 'string' ? { answer: row.answer } : { problem: row.problem as Problem };
}

export async function storeAnswer(
  query: Query,
  request: KeyedRequest,
  stored: Stored,
  now: Date,
): Promise<void> {
  const { actor, operation, key, input } = request;
  const answer = 'answer' in stored ? stored.answer : null;
  const problem = 'problem' in stored ? JSON.stringify(stored.problem) : null;
  await query(
    `insert into idempotency_keys (actor, operation, key, request_hash, answer, problem, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (actor, operation, key) do update set request_hash = excluded.request_hash,
       answer = excluded.answer, problem = excluded.problem, created_at = excluded.created_at`,
    [actor, operation, key, hashOf(input), answer, problem, now],
  );
}

/** Replaces a stored response, without extending its time. */
export async function replaceAnswer(query: Query, request: KeyedRequest, answer: string): Promise<void> {
  const { actor, operation, key, input } = request;
  await query(
    `update idempotency_keys set answer = $5
     where actor = $1 and operation = $2 and key = $3 and request_hash = $4`,
    [actor, operation, key, hashOf(input), answer],
  );
}

/** Deletes responses older than a day, in portions that each end within the time of a statement. Safe to call concurrently. */
export async function deleteOldAnswers(query: Query, now: Date): Promise<void> {
  await untilFewer(5_000, (most) =>
    query(
      `delete from idempotency_keys where ctid = any(array(
         select ctid from idempotency_keys where created_at < $1::timestamptz - interval '24 hours'
         order by created_at limit $2 for update skip locked
       )) returning 1 as deleted`,
      [now, most],
    ),
  );
}

/** The hash of the parsed request with sorted keys, so that the order of its fields does not matter. */
function hashOf(input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(input)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig } from 'pg';

/** Whether a statement may have a name, by which a connection finds it again. */
export interface Naming {
  doesPrepare: boolean;
}

/** The maximum number of prepared statements of a connection. Clients could cause any number of them. */
const maxPrepared = 300;

type Send = (query: unknown, values?: readonly unknown[], callback?: unknown) => unknown;

/**
 * Prepares each statement with values once per connection of a pool, inside transactions too. PostgreSQL then parses and plans it
 * once; without names it would do both each time. If there are too many, the least recently used one is closed.
 */
export function prepareStatements(pool: Pool, naming: Naming): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as Send;
    const nameOf = namesOn(client);
    const prepared: Send = (query, values, callback) => {
      if (!naming.doesPrepare && isNamed(query)) return send({ ...query, name: undefined }, values, callback);
      if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) {
        return send(query, values, callback);
      }
      const name = naming.doesPrepare ? nameOf(query) : undefined;
      const config: QueryConfig = { text: query, values, ...(name !== undefined && { name }) };
      return send(config, undefined, callback);
    };
    client.query = prepared as PoolClient['query'];
  });
}

/** What pg does not declare: the texts of statements by their names, and how one is closed. */
interface Wire {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Readonly<Record<string, string>>;
  close(statement: { readonly type: 'S'; readonly name: string }): void;
}

/** The names of the statements of a connection. A name belongs to its text forever. */
function namesOn(client: PoolClient): (text: string) => string {
  const wire = client.connection as PoolClient['connection'] & Wire;
  const known = new Map<string, { readonly name: string; usedAt: number }>();
  let uses = 0;
  const closeOne = () => {
    const [text, { name }] = [...known].reduce((one, other) =>
      other[1].usedAt < one[1].usedAt ? other : one,
    );
    // While the answer is awaited, pg would take it for prepared afterwards.
    if (wire.submittedNamedStatements[name] !== undefined) return;
    known.delete(text);
    // One that PostgreSQL refused is not.
    if (wire.parsedStatements[name] === undefined) return;
    delete wire.parsedStatements[name];
    // Before the next statement and in its packet; also a transaction that has failed allows it.
    wire.close({ type: 'S', name });
  };
  return (text) => {
    uses += 1;
    const found = known.get(text);
    if (found) {
      found.usedAt = uses;
      return found.name;
    }
    if (known.size >= maxPrepared) closeOne();
    const name = createHash('sha1').update(text).digest('base64url');
    known.set(text, { name, usedAt: uses });
    return name;
  };
}

const isNamed = (query: unknown): query is QueryConfig =>
  typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);

const probe = { name: 'crm_probe', text: 'select $1::int', values: [1] };

/**
 * Whether a pooler keeps the names of statements for its clients, as PgBouncer does from 1.21 with `max_prepared_statements`:
 * it then gives them names of its own. Otherwise the next statement may find a server that does not know the name.
 */
export async function doesKeepNames(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  let error: Error | undefined;
  try {
    await client.query('begin');
    await client.query(probe);
    const { rows } = await client.query<{ own: boolean }>(
      `select exists (select from pg_prepared_statements where name = '${probe.name}') as own`,
    );
    const isPassedOn = rows[0]?.own ?? true;
    if (isPassedOn) await client.query(`deallocate ${probe.name}`);
    await client.query('commit');
    return !isPassedOn;
  } catch (caught) {
    error = caught instanceof Error ? caught : new Error(String(caught));
    throw error;
  } finally {
    // pg remembers the name, and the server may have forgotten it.
    client.release(error ?? true);
  }
}

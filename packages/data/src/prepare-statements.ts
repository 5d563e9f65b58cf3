import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig } from 'pg';

/** The maximum number of prepared statements. Further ones are rare, and clients could cause any number of them. */
const maxPrepared = 300;

type Send = (query: unknown, values?: readonly unknown[], callback?: unknown) => unknown;

/**
 * Prepares each statement with values once per connection of a pool, also inside transactions: PostgreSQL then parses
 * it once, and plans it once.
 */
export function prepareStatements(pool: Pool): void {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    let name = names.get(text);
    if (name === undefined && names.size < maxPrepared) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    return name;
  };
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as Send;
    const prepared: Send = (query, values, callback) => {
      if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) {
        return send(query, values, callback);
      }
      const name = nameOf(query);
      const config: QueryConfig = { text: query, values, ...(name !== undefined && { name }) };
      return send(config, undefined, callback);
    };
    client.query = prepared as PoolClient['query'];
  });
}

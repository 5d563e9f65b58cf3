import type { Configuration, QueryResult } from '@mikro-orm/core';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction } from 'kysely';

type Execute = PostgreSqlConnection['execute'];

/** Sends values apart from their statement, which MikroORM writes into its text, so that it can be prepared. */
class PreparedConnection extends PostgreSqlConnection {
  override async execute<T extends QueryResult | object | object[] = object[]>(
    ...[query, params = [], method = 'all', ctx, loggerContext]: Parameters<Execute>
  ): Promise<T> {
    const text = typeof query === 'string' && Array.isArray(params) ? numbered(query, params) : undefined;
    if (text === undefined) return super.execute<T>(query, params, method, ctx, loggerContext);
    await this.ensureConnection();
    const client = (ctx as ControlledTransaction<unknown> | undefined) ?? this.getClient();
    const statement = CompiledQuery.raw(text, params as unknown[]);
    return this.executeQuery<T>(
      text,
      async () => this.transformRawResult(await client.executeQuery(statement), method) as T,
      { query: text, params: params as unknown[], ...loggerContext },
    );
  }
}

/** The driver of MikroORM for PostgreSQL, with prepared statements. */
export class PreparedDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    Object.assign(this, { connection: new PreparedConnection(config) });
  }
}

/** A statement with `$1`, `$2`, … instead of `?`; undefined if it contains, or is given, what cannot be bound. */
function numbered(query: string, params: readonly unknown[]): string | undefined {
  if (params.length === 0 || !params.every(isPlain) || /\?\?|\\\?/.test(query)) return undefined;
  let count = 0;
  const text = query.replaceAll('?', () => `$${++count}`);
  return count === params.length ? text : undefined;
}

const isPlain = (value: unknown) => value === null || typeof value !== 'object' || value instanceof Date;

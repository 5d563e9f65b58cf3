import type { Configuration, QueryResult } from '@mikro-orm/core';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction, type DatabaseConnection } from 'kysely';
import { traceStatement } from './trace-statement.ts';

type Execute = PostgreSqlConnection['execute'];

/** The connections on which transactions run. Kysely would send each statement only after the response to the previous one. */
const connections = new WeakMap<object, DatabaseConnection>();

/** Throws once the transaction ends: the connection is then another's. */
export function connectionOf(transaction: object): DatabaseConnection {
  const connection = connections.get(transaction);
  if (!connection) throw new Error('The transaction has ended.');
  return connection;
}

/** Sends values apart from their statement, which MikroORM writes into its text, so that it can be prepared. */
class PreparedConnection extends PostgreSqlConnection {
  override async begin(...given: Parameters<PostgreSqlConnection['begin']>) {
    const transaction: ControlledTransaction<unknown> = await super.begin(...given);
    const itself = async (connection: DatabaseConnection) => connection;
    connections.set(transaction, await transaction.getExecutor().provideConnection(itself));
    return transaction;
  }

  override async commit(...given: Parameters<PostgreSqlConnection['commit']>) {
    const [transaction] = given;
    await traceStatement('commit', () => super.commit(...given));
    connections.delete(transaction);
  }

  override async rollback(...given: Parameters<PostgreSqlConnection['rollback']>) {
    const [transaction] = given;
    connections.delete(transaction);
    await super.rollback(...given);
  }

  override async execute<T extends QueryResult | object | object[] = object[]>(
    ...[query, params = [], method = 'all', ctx, loggerContext]: Parameters<Execute>
  ): Promise<T> {
    const text = typeof query === 'string' && Array.isArray(params) ? numbered(query, params) : undefined;
    if (text === undefined) {
      const name = typeof query === 'string' ? query : 'statement';
      return traceStatement(name, () => super.execute<T>(query, params, method, ctx, loggerContext));
    }
    await this.ensureConnection();
    const client = (ctx as ControlledTransaction<unknown> | undefined) ?? this.getClient();
    const statement = CompiledQuery.raw(text, params as unknown[]);
    const run = async () => this.transformRawResult(await client.executeQuery(statement), method) as T;
    const context = { query: text, params: params as unknown[], ...loggerContext };
    return traceStatement(text, () => this.executeQuery<T>(text, run, context));
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

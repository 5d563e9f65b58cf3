import { errorCode } from '@crm/contract';
import type { Pool, PoolClient, QueryResult } from 'pg';

type Send = (query: unknown, values?: unknown, callback?: unknown) => Promise<QueryResult>;

/**
 * Why a statement is refused after another one has failed: because of that, or because a statement of the same text, which was
 * to be prepared, was refused.
 */
const afterFailure = new Set(['25P02', '26000']);

/** The first failure of a transaction, or of its statements since one to a savepoint was undone, whose answers may come later. */
interface Failed {
  first?: unknown;
}

/**
 * Makes a commit fail if PostgreSQL rolled back instead, and any statement that it refused after another one failed, with the
 * error of that one. A transaction therefore need not await its last statements, and its commit can be sent in one packet with
 * them. A statement that is sent after the end of its transaction is refused: PostgreSQL would run it outside.
 */
export function demandCommits(pool: Pool): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as Send;
    let failed: Failed = {};
    let isInTransaction = false;
    let isEnding = false;
    const end = async (...given: Parameters<Send>) => {
      isEnding = true;
      const ended = await send(...given).finally(() => {
        isInTransaction = false;
        isEnding = false;
      });
      const { first } = failed;
      failed = {};
      if (given[0] !== 'commit' || ended.command !== 'ROLLBACK') return ended;
      throw first ?? new Error('PostgreSQL rolled back instead of committing.');
    };
    const demanding: Send = (...given) => {
      const [query] = given;
      if (isEnding) return Promise.reject(new Error('The transaction has ended.'));
      if (query === 'commit' || query === 'rollback') return end(...given);
      if (begins(query)) isInTransaction = true;
      const ofOwnPart = failed;
      if (isRollbackTo(query)) failed = {};
      // Those with a callback return nothing. They are in no transaction.
      return send(...given)?.catch((error: unknown) => {
        if (!isInTransaction) throw error;
        ofOwnPart.first ??= error;
        throw afterFailure.has(errorCode(error)) ? ofOwnPart.first : error;
      });
    };
    client.query = demanding as PoolClient['query'];
  });
}

/** Also with settings of the transaction in the same text, but not one that ends it. */
const begins = (query: unknown) =>
  query === 'begin' || (typeof query === 'string' && query.startsWith('begin;') && !query.endsWith('commit'));

const isRollbackTo = (query: unknown) => typeof query === 'string' && query.startsWith('rollback to ');

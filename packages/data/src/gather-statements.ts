import type { Pool, PoolClient, QueryArrayResult } from 'pg';

type Send = (query: unknown, values?: readonly unknown[], callback?: unknown) => Promise<unknown>;

/** A transaction of which `begin` is not confirmed yet. */
interface Beginning {
  readonly answered: Promise<unknown>;
  /** Whether a statement waits for that. */
  isHeld: boolean;
  isUndone: boolean;
}

/**
 * Sends statements that a connection is given at the same moment in one packet, because a packet costs this process and
 * PostgreSQL more than a short statement does. `begin` is sent with the first statement of its transaction if that reads or
 * locks, and a savepoint with the statement that follows it. Statements that write wait until PostgreSQL has confirmed `begin`,
 * and fail if the transaction is rolled back before that, so that nothing is ever written outside of the transaction. Needs
 * connections that pipeline.
 */
export function gatherStatements(pool: Pool): void {
  pool.on('connect', (client) => {
    const { begin, rollback, inOrder } = transactionsOver(client.query.bind(client) as Send);
    const cork = corking(client);
    const gathered: Send = (query, values, callback) => {
      cork();
      if (query === 'begin') return begin();
      if (query === 'rollback') return rollback(query, values, callback);
      const sent = inOrder(query, values, callback);
      if (!isSavepoint(query)) return sent;
      // If one fails, so do all statements behind it, and the commit.
      sent.catch(() => undefined);
      return Promise.resolve(confirmed);
    };
    client.query = gathered as PoolClient['query'];
  });
}

/** The transactions of a connection, one after the other. */
function transactionsOver(send: Send) {
  let beginning: Beginning | undefined;
  const begin = async () => {
    const begun = { answered: send('begin'), isHeld: false, isUndone: false };
    beginning = begun;
    // Whoever writes next waits for it, and fails with it.
    begun.answered.then(
      () => {
        if (beginning === begun) beginning = undefined;
      },
      () => undefined,
    );
    return confirmed;
  };
  const rollback: Send = (...given) => {
    if (beginning) beginning.isUndone = true;
    beginning = undefined;
    return send(...given);
  };
  const inOrder: Send = (...given) => {
    const begun = beginning;
    if (begun === undefined || (isRead(given[0]) && !begun.isHeld)) return send(...given);
    // What follows is held as well, so that the order remains.
    begun.isHeld = true;
    return begun.answered.then(() => {
      if (begun.isUndone) throw new Error('The transaction was rolled back.');
      return send(...given);
    });
  };
  return { begin, rollback, inOrder };
}

/** Taken for the answer to a statement without one of its own. */
const confirmed: QueryArrayResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };

const isRead = (query: unknown) => typeof query === 'string' && /^\s*select\b/i.test(query);

const isSavepoint = (query: unknown) => typeof query === 'string' && /^(savepoint|release) "/.test(query);

/** Holds back what is written to a connection until the current moment is over. */
function corking({ connection: { stream } }: PoolClient): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

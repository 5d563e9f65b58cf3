import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Query } from '@crm/data';

/** The statements that some work sends; those that workers of the service send meanwhile are left out. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { query, read } = database;
  const working = new AsyncLocalStorage<true>();
  const noting =
    (run: Query): Query =>
    (text, values) => {
      if (working.getStore()) texts.push(text);
      return run(text, values);
    };
  Object.assign(database, { query: noting(query), read: noting(read) });
  await working.run(true, work).finally(() => Object.assign(database, { query, read }));
  return texts;
}

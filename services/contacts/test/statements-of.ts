import type { Database, Query } from '@crm/data';

/** The statements that requests send while some work is done. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { query, read } = database;
  const noting =
    (run: Query): Query =>
    (text, values) => {
      texts.push(text);
      return run(text, values);
    };
  Object.assign(database, { query: noting(query), read: noting(read) });
  await work().finally(() => Object.assign(database, { query, read }));
  return texts;
}

import type pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Database {
  /** The first row, if there is one. */
  one<Row>(statement: Statement): Promise<Row | undefined>;
}

/** So many different statements are prepared on each connection; with filters, their number has no end. */
const mostNames = 200;

export function databaseOver(pool: pg.Pool): Database {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostNames) return known;
    const name = `statement_${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    one: async ({ text, values }) => {
      const name = nameOf(text);
      const { rows } = await pool.query({ text, values: [...values], ...(name !== undefined && { name }) });
      return rows[0];
    },
  };
}

/** Collects the values of a statement and answers with their places. */
export function bindings(...values: unknown[]) {
  return { values, bind: (value: unknown) => `$${values.push(value)}` };
}

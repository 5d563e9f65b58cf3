import type { DerivedColumns, Row } from '@crm/data';
import type pg from 'pg';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, gather, portion } from './discrepancy.ts';
import { pages } from './pages.ts';

interface Outdated {
  readonly id: number;
  readonly row: Row;
  readonly right: Row;
}

/** Compares computed columns with their expected values. */
export function verifyDerived(
  client: pg.Client,
  service: ServiceName,
  derived: DerivedColumns,
  repair: boolean,
): Promise<Discrepancy[]> {
  const { table, columns } = derived;
  return gather<Outdated>(
    {
      service,
      what: `${table} whose ${columns.join(', ')} do not follow from the row`,
      advice: 'Run `crm verify --repair`, which recomputes them.',
    },
    outdated(client, derived),
    ({ id }) => String(id),
    repair ? (found) => rewrite(client, derived, found) : undefined,
  );
}

async function* outdated(client: pg.Client, { table, from, columns, derive }: DerivedColumns) {
  const read = async (last: number) => {
    const { rows } = await client.query<{ id: number } & Row>(
      `select id, ${[...from, ...columns].join(', ')} from ${table} where id > $1 order by id limit ${portion}`,
      [last],
    );
    return rows;
  };
  for await (const rows of pages(0, read))
    yield rows.flatMap((row): Outdated[] => {
      const right = derive(row);
      return columns.some((column) => row[column] !== right[column]) ? [{ id: row.id, row, right }] : [];
    });
}

/** Skips rows that have changed since they were read. */
async function rewrite(
  client: pg.Client,
  { table, from, columns }: DerivedColumns,
  found: readonly Outdated[],
): Promise<number> {
  const record = `jsonb_populate_record(null::${table}, one -> 'row')`;
  const { rowCount } = await client.query(
    `update ${table} t set ${columns.map((column) => `${column} = one -> 'right' ->> '${column}'`).join(', ')}
     from jsonb_array_elements($1::jsonb) one
     where t.id = (one ->> 'id')::int and (${from.map((column) => `t.${column}`).join(', ')})
       is not distinct from (${from.map((column) => `(${record}).${column}`).join(', ')})`,
    [JSON.stringify(found)],
  );
  return rowCount ?? 0;
}

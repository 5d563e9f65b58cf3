import { settingsFor } from '@crm/data';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placed } from './contract/known.ts';
import { fullDraft, newParents, newRecordBelow, resourceCalled } from './contract/records.ts';
import { fillable, kindsOf, pathOf } from './contract/resources.ts';
import type { Json } from './system/api.ts';
import { type Person, startSystem } from './system.ts';

const system = await startSystem('together');
afterAll(system.stop);

/** The statements that read a page while a list is asked for. Others are sent meanwhile by workers. */
async function statementsOf(ask: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { prototype } = pg.Query as unknown as { prototype: { submit(...given: unknown[]): unknown } };
  const { submit } = prototype;
  prototype.submit = function (this: { text?: string }, ...given) {
    if (/ as records\b/.test(this.text ?? '')) texts.push(this.text ?? '');
    return submit.apply(this, given);
  };
  try {
    await ask();
  } finally {
    prototype.submit = submit;
  }
  return texts;
}

interface Node extends Json {
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Says, until the transaction ends, that each table with rows has ten million, and a thousand for each value of a column. */
const pretendMany = `with big as (
    select c.oid, n.nspname::text as schema, c.relname::text as name, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(current_schemas(false)) and c.relkind in ('r', 'i') and pg_relation_size(c.oid) > 0
  ), sizes as (
    select pg_restore_relation_stats('schemaname', schema, 'relname', name, 'relpages', 1, 'reltuples', 1e7::real) from big
  ), kinds as (
    select pg_restore_attribute_stats('schemaname', schema, 'relname', name, 'attname', attname::text, 'inherited', false,
      'null_frac', 0.1::real, 'avg_width', 8, 'n_distinct', -0.001::real)
    from big join pg_attribute on attrelid = big.oid where relkind = 'r' and attnum > 0 and not attisdropped
  ) select (select count(*) from sizes) + (select count(*) from kinds)`;

/** Indexes of some records of a table, which may be read whole for these. */
const partialQuery = `select relname::text as name from pg_index join pg_class on oid = indexrelid where indpred is not null`;

/** The scans of whole tables, or of whole indexes, in the plan of a statement, as it is planned for all values. */
async function fullScansIn(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  const partial = new Set((await client.query(partialQuery)).rows.map(({ name }) => name));
  const isFull = (node: Node) =>
    node['Node Type'] === 'Seq Scan' ||
    (node['Index Name'] !== undefined && !partial.has(node['Index Name']) && !node['Index Cond']);
  return rows
    .flatMap((row) => row['QUERY PLAN'])
    .flatMap(({ Plan }) => nodesOf(Plan))
    .filter((node) => isFull(node) && Number(node['Plan Rows']) > 1)
    .map((node) => `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}`);
}

describe.each(fillable)('the list of $name', (resource) => {
  const source = resourceCalled(placed[resource.name]?.of ?? resource.name);
  // Whose tables have the names in a statement: those of the service first, which asks others for names.
  const schemas = [resource.service, ...Object.keys(system.services)].map((name) =>
    name.replaceAll('-', '_'),
  );
  const client = new pg.Client({
    connectionString: system.databaseUrl,
    options: settingsFor(schemas.join(',')),
  });
  let anna: Person;
  let list = '';
  let record: Json = {};

  beforeAll(async () => {
    await client.connect();
    anna = await system.person({ is_broker: true });
    const parents = await newParents(anna, resource);
    list = pathOf(resource.find, parents);
    const place = placed[resource.name];
    const draft = await fullDraft(anna, source);
    if (place) await place.place(anna, list, (await newRecordBelow(anna, source, {}, draft)).id);
    else await newRecordBelow(anna, source, parents, draft);
    record = (await anna.api.list(list)).data[0] ?? {};
    await client.query('begin');
    await client.query(pretendMany);
  });
  afterAll(() => client.end());

  it('reads what is asked for by conditions of indexes, however many records others have', async () => {
    const queries = [...kindsOf(resource).keys()].flatMap((field) => {
      const sorted = [1, -1].map((direction) => `$sort[${field}]=${direction}`);
      const value = record[field];
      const equal = `${field}=${encodeURIComponent(String(value))}`;
      return [...sorted, `${sorted[1]}&$after=`, ...(value === null || value === undefined ? [] : [equal])];
    });
    const found: Record<string, string[]> = {};
    for (const asked of ['', ...queries]) {
      const texts = await statementsOf(() => anna.api.list(`${list}?${asked}`));
      expect(texts, asked).not.toEqual([]);
      for (const text of texts) {
        const scans = await fullScansIn(client, text);
        if (scans.length > 0) found[asked] = scans;
      }
    }
    expect(found).toEqual({});
  });
});

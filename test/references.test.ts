import { afterAll, expect, it } from 'vitest';
import { startSystem } from './system.ts';

/**
 * Foreign keys whose columns begin no index. One of the rows that have a value at all is as good, because a removed record is
 * never null.
 */
const withoutIndex = `
  select con.conrelid::regclass::text || '.' || string_agg(a.attname, ', ' order by k.at) as name
  from pg_constraint con
  join unnest(con.conkey) with ordinality k (attnum, at) on true
  join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.attnum
  where con.contype = 'f' and con.conparentid = 0 and con.connamespace::regnamespace::text = any($1)
  group by con.oid, con.conrelid, con.conkey
  having not exists (
    select from pg_index i where i.indrelid = con.conrelid and i.indisvalid
    and con.conkey @> (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(con.conkey)]
    and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || (
      select attname from pg_attribute where attrelid = con.conrelid and attnum = con.conkey[1]) || ' IS NOT NULL)'))
  order by 1`;

const system = await startSystem('together');
afterAll(system.stop);

it('what refers to a record is found by an index when the record is removed', async () => {
  const schemas = Object.keys(system.services).map((name) => name.replaceAll('-', '_'));
  const found = await system.rows('identity', withoutIndex, [schemas]);
  expect(found.map(({ name }) => name)).toEqual([]);
});

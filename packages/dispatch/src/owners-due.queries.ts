import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import type { DispatchTable } from './queue.ts';

const OwnerDue = z.object({ lane: z.string(), owner: z.int() });

/** An owner of due rows in a lane. */
export type OwnerDue = z.output<typeof OwnerDue>;

/** A table whose slots are shared. */
export type SharedTable = DispatchTable & Required<Pick<DispatchTable, 'sharedBy'>>;

/** Up to this many due rows are read one by one; of more, only one per owner. */
const fewDue = 200;

/** After many rows were found, this many further searches also expect many. */
const looksAtMany = 4;

/** Returns a function that finds the owners of due rows, by lane. */
export function findingOwners(
  query: Query,
  table: SharedTable,
  lanes: readonly string[],
): () => Promise<OwnerDue[]> {
  let many = 0;
  return async () => {
    const few = many > 0 ? undefined : await fewOwnersDue(query, table);
    if (few) return few;
    many = many > 0 ? many - 1 : looksAtMany;
    return eachOwnerDue(query, table, lanes);
  };
}

const CountedOwner = OwnerDue.extend({ count: z.int() });

const isWaiting = ({ state, waiting }: SharedTable) => `t.${state} = '${waiting}'`;
const isTime = 't.next_attempt_at <= now()';
const isDueNow = ({ isDue = 'true', dueImplies = 'true' }: SharedTable) => `${isDue} and ${dueImplies}`;

/** The owners of the due rows, unless there are too many rows. */
async function fewOwnersDue(query: Query, table: SharedTable): Promise<OwnerDue[] | undefined> {
  const { name, lane, sharedBy } = table;
  const few = await queryRows(
    query,
    CountedOwner,
    `with some_due as materialized (
       select t.${lane} as lane, t.${sharedBy} as owner from ${name} t
       where ${isWaiting(table)} and ${isTime} and ${isDueNow(table)} limit ${fewDue}
     )
     select lane, owner, (sum(count(*)) over ())::int as count from some_due group by 1, 2 order by owner`,
    [],
  );
  return few[0]?.count === fewDue ? undefined : few;
}

/**
 * The owners of due rows, without reading all of these: goes from owner to owner in the index, and looks for one due row of each.
 */
function eachOwnerDue(query: Query, table: SharedTable, lanes: readonly string[]): Promise<OwnerDue[]> {
  const { name, lane, sharedBy } = table;
  const nextOf = (condition: string) => `(
    select t.${sharedBy} from ${name} t where ${isWaiting(table)} and ${condition} order by t.${sharedBy} limit 1
  )`;
  return queryRows(
    query,
    OwnerDue,
    `with recursive owner (lane, id) as (
       select lane, ${nextOf(`t.${lane} = lanes.lane`)} from unnest($1::text[]) lanes (lane)
       union all
       select owner.lane, ${nextOf(`t.${lane} = owner.lane and t.${sharedBy} > owner.id`)}
       from owner where owner.id is not null
     )
     select lane, id as owner from owner
     -- Not in an \`exists\`, which PostgreSQL may turn into a join with all that is due.
     cross join lateral (
       select from ${name} t
       where t.${lane} = owner.lane and t.${sharedBy} = owner.id and ${isWaiting(table)} and ${isTime}
         -- In a \`case\`, so that PostgreSQL expects to find one soon, and reads the index of the owner in its order.
         and case when ${isDueNow(table)} then true end
       order by t.next_attempt_at limit 1
     ) due
     where id is not null
     order by id`,
    [lanes],
  );
}

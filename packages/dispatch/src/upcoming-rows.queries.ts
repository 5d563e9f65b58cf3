import type { DispatchTable } from './queue.ts';

/**
 * SQL of rows with the time at which something can next be leased: the first row of each lane, and the first lease that ends.
 * Where no index finds the first row, the lane is checked every second while anything waits in it.
 */
export function upcoming(
  { name, lane, state, waiting, sharedBy = 'id', isUnordered }: DispatchTable,
  lanes: readonly string[],
): string {
  const first = isUnordered ? "now() + interval '1 second' as due_at" : 't.next_attempt_at as due_at';
  // In the order of an index; otherwise PostgreSQL would read everything that was ever sent until it finds a waiting row.
  const order = `order by t.${isUnordered ? sharedBy : 'next_attempt_at'}`;
  return [
    ...lanes.map(
      (one) =>
        `(select ${first} from ${name} t where t.${lane} = '${one}' and t.${state} = '${waiting}' ${order} limit 1)`,
    ),
    `(select t.lease_until from ${name} t where t.${state} = 'Sending' order by t.lease_until limit 1)`,
  ].join(' union all ');
}

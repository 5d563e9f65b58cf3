import type { DispatchTable } from './queue.ts';

/**
 * Rows with the time at which something may next be leased, in SQL: the first of each lane, and the first lease that ends.
 * Where no index has that one, it is looked at each second while anything waits in the lane.
 */
export function upcoming(
  { name, lane, state, waiting, sharedBy = 'id', isUnordered }: DispatchTable,
  lanes: readonly string[],
): string {
  const first = isUnordered ? "now() + interval '1 second' as due_at" : 't.next_attempt_at as due_at';
  // In the order of an index, or else PostgreSQL reads all that was ever sent until it finds one that waits.
  const order = `order by t.${isUnordered ? sharedBy : 'next_attempt_at'}`;
  return [
    ...lanes.map(
      (one) =>
        `(select ${first} from ${name} t where t.${lane} = '${one}' and t.${state} = '${waiting}' ${order} limit 1)`,
    ),
    `(select t.lease_until from ${name} t where t.${state} = 'Sending' order by t.lease_until limit 1)`,
  ].join(' union all ');
}

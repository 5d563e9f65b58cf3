import type { System } from './system.ts';
import type { Journal } from './writes.ts';

type Row = Readonly<Record<string, unknown>>;

/** What `checkWrites` finds, and events that took effect twice or never. Every event must have been handled. */
export async function checkRecords(system: System, journal: Journal): Promise<string[]> {
  return [...(await checkWrites(system, journal)), ...(await checkEffects(system.rows))];
}

/** What the databases contain that nobody was told, and what somebody was told that they do not contain. */
export async function checkWrites({ rows }: System, { contacts, tasks, leads }: Journal): Promise<string[]> {
  const found: string[] = [];
  const compare = async (
    service: string,
    sql: string,
    told: ReadonlyMap<string, Row | null>,
    fields: string[],
  ) => {
    const stored = Map.groupBy(await rows(service, sql), ({ name }) => String(name));
    for (const [name, expected] of told) {
      const [row, ...more] = stored.get(name) ?? [];
      if (more.length > 0) found.push(`doubled: ${name} is stored ${more.length + 1} times`);
      if (expected === null && row) found.push(`lost: ${name} was removed and is stored`);
      if (expected !== null && !fields.every((field) => row?.[field] === expected[field]))
        found.push(`lost: ${name} is ${JSON.stringify(row)} instead of ${JSON.stringify(expected)}`);
    }
    for (const name of stored.keys()) if (!told.has(name)) found.push(`unknown: ${name} was never answered`);
  };
  const contactRows = "select first_name as name, * from contacts where first_name like 'contacts-%'";
  await compare('contacts', contactRows, contacts, ['id', 'last_name']);
  const taskRows = "select description as name, * from tasks where description like 'tasks-%'";
  await compare('scheduling', taskRows, tasks, ['id', 'notes']);
  const claims = await rows('leads-routing', 'select id, claimed_by_user_id from leads');
  const claimed = new Map(claims.map(({ id, claimed_by_user_id }) => [Number(id), claimed_by_user_id]));
  for (const [lead, winner] of leads)
    if (claimed.get(lead) !== winner)
      found.push(`lost: lead ${lead} belongs to ${claimed.get(lead)} instead of ${winner}`);
  return found;
}

/** An event that takes effect twice, or never, shows in what it adds. */
export async function checkEffects(rows: System['rows']): Promise<string[]> {
  const found: string[] = [];
  const users = await rows('identity', 'select id from users order by id');
  for (const [service, sql] of [
    ['contacts', 'select user_id, count(*)::int as count from contact_sources group by user_id'],
    ['leads-routing', 'select user_id, count(*)::int as count from lead_sources group by user_id'],
  ] as const) {
    const counts = new Map((await rows(service, sql)).map(({ user_id, count }) => [user_id, count]));
    for (const { id } of users)
      if (counts.get(id) !== 6)
        found.push(`${service}: user ${id} has ${counts.get(id)} sources instead of 6`);
  }
  return found;
}

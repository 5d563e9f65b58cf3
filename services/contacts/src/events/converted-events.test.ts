import { databaseBefore } from '@crm/testing';
import { expect, it } from 'vitest';
import { contactsStore } from '../store.ts';

/** What an instance of the version before sends, word for word. */
const before = {
  record: `insert into events (version, user_id, contact_id, source, type, created_at, modified_at)
    values (1, 1, $1, 'api', 'call', now(), now()) returning id, version`,
  property: `insert into event_properties (api_event_id, contact_id) values ($1, $2) returning id`,
  touch: `update events set version = version + 1, modified_at = $2::timestamptz where id = $1::int returning version`,
  read: 'select id, contact_id, owner_user_id from events where contact_id = $1::int order by id',
  remove: 'delete from events where id = $1 and version = $2',
  removeContact: 'delete from contacts where id = $1',
};

const conversion = '0210-partitioned-events';

it('are written and read by an instance of the version before while they become partitioned, and after that', async () => {
  const { client, upgrade } = await databaseBefore(contactsStore, conversion);
  await client.query('set plan_cache_mode = force_generic_plan');
  const run = (name: keyof typeof before, values: unknown[]) =>
    client.query({ name, text: before[name], values });
  const one = async (text: string) => (await client.query(text)).rows[0];
  const contact =
    'insert into contacts (owner_user_id, created_at, modified_at) values (7, now(), now()) returning id';
  const [{ id }, { id: other }] = [await one(contact), await one(contact)];
  const [first, second] = [(await run('record', [id])).rows[0], (await run('record', [other])).rows[0]];
  for (const event of [first, second]) await run('property', [event.id, id]);
  await run('touch', [first.id, new Date()]);
  await run('read', [id]);
  await run('remove', [0, 0]);

  let isConverted = false;
  const writing = (async () => {
    let written = 0;
    for (; !isConverted || written < 20; written++) await run('record', [id]);
    return written;
  })();
  expect(await upgrade()).toContain(conversion);
  isConverted = true;
  const written = await writing;

  const { rows } = await run('read', [id]);
  expect(rows).toHaveLength(1 + written);
  expect(new Set(rows.map((row) => row.owner_user_id))).toEqual(new Set([7]));
  expect(await one('select count(*)::int from events_0')).toMatchObject({
    count: 2 + written,
  });
  const activity =
    await one(`select last_activity_at = (select max(created_at) from events where contact_id = ${id}) as is_latest
    from contacts where id = ${id}`);
  expect(activity).toEqual({ is_latest: true });
  expect((await run('touch', [first.id, new Date()])).rows).toEqual([{ version: 3 }]);
  expect((await run('remove', [first.id, 3])).rowCount).toBe(1);
  await run('removeContact', [other]);
  expect(await one('select from event_properties')).toBeUndefined();
  expect((await run('record', [id])).rows[0].id).toBeGreaterThan(rows.at(-1).id);
});

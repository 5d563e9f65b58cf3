import { databaseBefore } from '@crm/testing';
import { expect, it } from 'vitest';
import { schedulingStore } from '../store.ts';

/** The statement of an instance of the previous version, unchanged except for its selection. */
const before = {
  create: `insert into communications (version, campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name,
      type, is_stopped_on_text_reply, send_from_user_id, send_at, timezone, is_active, created_at, modified_at, dispatch_state,
      next_attempt_at)
    values (1, $1, 1, $2, 1, 'Welcome', 'Email Contact', false, 7, now(), 'UTC', true, now(), now(), 'Scheduled', now())
    returning id, version`,
  lease: `with due as (
      select t.id from communications t
      where t.type = 'Email Contact' and t.send_from_user_id = 7 and t.dispatch_state = 'Scheduled' and t.next_attempt_at <= now()
      order by t.next_attempt_at, t.id limit $1::int for update of t skip locked
    ), leased as (
      update communications t set
        dispatch_state = 'Sending', lease_until = now() + interval '1 minute', attempts = attempts + 1, begun_at = null
      where t.id = any(array(select id from due)) returning t.*
    ) select id, key from leased order by id`,
  begin: `update communications t set begun_at = now(), sent_to = 'bill@example.com' where t.id = any($1::int[]) returning t.id`,
  settle: `update communications t set dispatch_state = 'Sent', lease_until = null, is_active = false, completed_at = now()
    where t.id = any($1::int[]) returning t.id`,
  status: `update communications t set delivery_state = 'Delivered' where t.key = $1::uuid returning t.id`,
  spent: `select count(*)::int from sendings sent where sent.send_from_user_id = $1::int and sent.begun_at > now() - interval '24 hours'`,
};

const conversion = '0210-partitioned-communications';

it('are sent by an instance of the previous version before and after they are partitioned', async () => {
  const { client, upgrade } = await databaseBefore(schedulingStore, conversion);
  await client.query('set plan_cache_mode = force_generic_plan');
  const run = async (name: keyof typeof before, values: unknown[]) =>
    (await client.query({ name, text: before[name], values })).rows;
  let created = 0;
  const create = async () => {
    created += 1;
    return (await run('create', [created, 1]))[0].id;
  };
  const send = async () => {
    const leased = await run('lease', [2]);
    const ids = leased.map(({ id }) => id);
    await run('begin', [ids]);
    await run('settle', [ids]);
    expect(await run('status', [leased[0]?.key])).toEqual([{ id: ids[0] }]);
    return ids;
  };
  for (let message = 0; message < 3; message++) await create();
  expect(await send()).toHaveLength(2);
  expect(await run('spent', [7])).toEqual([{ count: 2 }]);

  let isConverted = false;
  const sending = (async () => {
    for (let round = 0; !isConverted || round < 10; round++) {
      await create();
      await send();
    }
  })();
  expect(await upgrade()).toContain(conversion);
  isConverted = true;
  await sending;

  const states =
    'select dispatch_state as state, count(*)::int, count(distinct id)::int as ids from communications group by 1';
  expect((await client.query(states)).rows).toEqual([{ state: 'Sent', count: created, ids: created }]);
  expect(await run('spent', [7])).toEqual([{ count: created }]);
  await expect(run('create', [1, 1])).rejects.toThrow('duplicate key');
  expect(await create()).toBeGreaterThan(created - 1);
  expect((await client.query('select from communications_0')).rowCount).toBe(created);
  expect(await send()).toHaveLength(1);
  expect(await run('spent', [7])).toEqual([{ count: created }]);
});

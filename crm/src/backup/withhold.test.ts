import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { stores } from '../system/stores.ts';
import { withhold } from './withhold.ts';

it('leaves alerts of lead routes to their queue, which learns what was lost', async () => {
  const store = stores['leads-routing'];
  const { urls, drop } = await freshDatabase([store]);
  const client = new pg.Client({
    connectionString: urls[store.schema],
    options: `-c search_path=${store.schema}`,
  });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.query(
    `insert into lead_route_alerts (owner_user_id, problem, reference_id, occurred_at)
     values (1, 'Campaign not available', 1, now() - interval '1 minute')`,
  );
  expect(await withhold(client, store)).toBe(0);
  const { rows } = await client.query(
    'select state, occurred_at < restored_at as is_before from lead_route_alerts, restorations',
  );
  expect(rows).toEqual([{ state: 'Waiting', is_before: true }]);
});

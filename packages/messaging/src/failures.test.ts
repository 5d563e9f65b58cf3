import { streamDays } from '@crm/events';
import { expect, it } from 'vitest';
import { createService } from '../test/rig.ts';
import { pruneFailures } from './failures.ts';

it('the failures of a message are counted as long as the broker may deliver it again', async () => {
  const { orm, pool } = await createService('consumer');
  for (const days of [streamDays + 1, 3 * streamDays])
    await pool.query(
      `insert into inbox_failures (consumer, event_id, failures, reason, failed_at)
       values ('consumer', gen_random_uuid(), $1, 'Broken.', now() - make_interval(days => $1))`,
      [days],
    );
  await pruneFailures(orm.em.fork());
  const { rows } = await pool.query('select failures from inbox_failures');
  expect(rows).toEqual([{ failures: streamDays + 1 }]);
});

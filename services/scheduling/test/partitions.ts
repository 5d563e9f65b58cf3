import { keepPartitions } from '@crm/messaging';
import { communicationPartitions } from '../src/communications/communication-partitions.ts';
import type { SchedulingUnderTest } from './harness.ts';

/** Rows added after this go to another partition than those added before and than the `count` calls to nobody that this adds. */
export async function endPartition({ rows, database }: SchedulingUnderTest, count = 1): Promise<void> {
  await rows("select setval('communications_id_seq', greatest(nextval('communications_id_seq'), 1000))");
  await rows(
    `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name, type,
       is_stopped_on_text_reply, send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at,
       dispatch_state, begun_at)
     select 0, 0, nextval('communications_id_seq'), 0, 'Before', 'Call Contact', false, 0, '2020-01-01', 'UTC', '2020-01-01',
       '2020-01-01', '2020-01-01', 'Sent', '2020-01-01' from generate_series(1, $1)`,
    [count],
  );
  const [row] = await rows('select max(id) as highest from communications');
  const ids = Math.ceil(Number(row?.highest) / 0.93);
  await keepPartitions(database.ownConnection(), [{ ...communicationPartitions, ids }]);
  await rows("select setval('communications_id_seq', $1)", [ids]);
  const made = await rows('select from pg_class where relname = $1', [`communications_${ids}`]);
  if (made.length === 0) throw new Error(`There is no partition from ${ids} on.`);
}

/** Drops what is no longer kept. */
export const keepFor = ({ database }: SchedulingUnderTest, days: number) =>
  keepPartitions(database.ownConnection(), [{ ...communicationPartitions, days }]);

import { openDispatch } from '@crm/dispatch';
import { afterAll, describe, expect, it } from 'vitest';
import { ago, taskAlertsUnderTest } from '../../test/task-alerts.ts';
import { noticeQueue } from '../text-notices/text-notice-dispatcher.ts';
import { remind } from './remind.ts';
import { taskAlertQueue } from './task-alert-dispatcher.ts';

const { under, turn, pair, task, statesOf } = await taskAlertsUnderTest();
afterAll(under.close);
const { service, settings, workerContext } = under;

const many = 30;
const slots = 10;

describe('the alerts of one owner', () => {
  it('leave slots for a later reminder of another owner', async () => {
    const [{ ben: busy }, { ben: other }] = [await pair(), await pair()];
    for (let count = 0; count < many; count++) await task(busy, { due_at: ago(1) });
    const last = await task(other);
    await remind(workerContext);
    const leased = await openDispatch(taskAlertQueue, settings.delivery, workerContext).lease({
      Email: slots,
    });
    expect(leased.map(({ task_id }) => task_id)).toContain(last);
    expect(leased).toHaveLength(slots / 2 + 1);
  });

  it('leave slots for a notification of another owner that was added later', async () => {
    const [busy, other] = [await pair(), await pair()];
    const assigned = { reminder_type: 3, due_at: ago(-48) };
    for (let count = 0; count < many; count++)
      await task(busy.anna, { ...assigned, assigned_user_id: busy.ben.id });
    const last = await task(other.anna, { ...assigned, assigned_user_id: other.ben.id });
    const leased = await openDispatch(taskAlertQueue, settings.delivery, workerContext).lease({
      Text: slots,
    });
    expect(leased.map(({ task_id }) => task_id)).toContain(last);
  });

  it('are sent if an instance of the previous release has added them', async () => {
    const { ben } = await pair();
    const id = await task(ben, { reminder_type: 2 });
    await remind(workerContext);
    await service.rows('update task_alerts set owner_user_id = default where task_id = $1', [id]);
    await turn();
    expect(await statesOf(id)).toEqual([['Reminder', 'Phone', ben.id, 'Done']]);
  });
});

it('the notices of one owner leave slots for a notice of another owner that was added later', async () => {
  const add = (owner: number, count: number) =>
    service.rows(
      `with text as (
         insert into inbound_texts (id, from_number, body, meaning, received_at, is_answered)
         select $1 || '-' || n, '+16045550000', 'Hello', 'other', now(), false from generate_series(1, $2::int) n returning id
       )
       insert into text_notices (text_id, channel, user_id, owner_user_id) select id, 'Email', $1::int, $1::int from text`,
      [owner, count],
    );
  await add(901, many);
  await add(902, 1);
  const leased = await openDispatch(noticeQueue(settings), settings.delivery, workerContext).lease({
    Email: slots,
  });
  expect(leased.map(({ user_id }) => user_id)).toContain(902);
});

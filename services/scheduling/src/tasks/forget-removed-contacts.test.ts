import type { User } from '@crm/auth';
import { contactRemoved } from '@crm/events';
import { openTransaction, someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { forgetRemovedContacts } from './forget-removed-contacts.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);
const { rows } = scheduling;

const most = 5_000;

// Makes a statement fail that changes too many tasks, as one that takes too long does with far more.
beforeAll(async () => {
  await rows(`create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from after) > ${most} then raise exception 'too many rows in one statement'; end if;
      return null;
    end $$`);
  await rows(`create trigger refuse_many after update on tasks referencing new table as after
    for each statement execute function refuse_many()`);
});

const contactOf = async (anna: User) =>
  (await scheduling.contacts.as(anna).contacts.create({ first_name: 'Bill' })).id;

const removed = (contact_id: number, anna: User) =>
  scheduling.deliver(contactRemoved, { contact_id, owner_user_id: anna.id, assigned_user_id: null });

/** How many tasks and series refer to a contact, and whether a worker is to clear it. */
async function naming(contactId: number) {
  const count = async (text: string) => (await rows(text, [contactId])).length;
  return {
    tasks: await count('select from tasks where contact_id = $1'),
    series: await count('select from task_series where contact_id = $1'),
    isNoted: (await count('select from removed_contacts where id = $1')) > 0,
  };
}
const nothing = { tasks: 0, series: 0, isNoted: false };

const draft = { action_type: 'None', description: 'Call', status: 'incomplete' } as const;

describe('a removed contact', () => {
  it('is cleared from very many tasks, in portions', async () => {
    const anna = someone();
    const contact_id = await contactOf(anna);
    const { id } = await scheduling.as(anna).tasks.create({ ...draft, contact_id });
    await rows(
      `insert into tasks (scheduled_event_id, occurrence_index, owner_user_id, contact_id, action_type, description, status,
         timezone, is_all_day, notify_assignee, created_at, modified_at)
       select scheduled_event_id, n, owner_user_id, contact_id, action_type, description, status, timezone, is_all_day,
         notify_assignee, created_at, modified_at from tasks, generate_series(1, ${3 * most}) n where id = $1`,
      [id],
    );
    await removed(contact_id, anna);
    expect(await naming(contact_id)).toMatchObject({ isNoted: true });
    await forgetRemovedContacts(scheduling.database);
    expect(await naming(contact_id)).toEqual(nothing);
    expect(
      await rows(
        'select from tasks where version = 2 and scheduled_event_id = (select scheduled_event_id from tasks where id = $1)',
        [id],
      ),
    ).toHaveLength(3 * most + 1);
  });

  it('is cleared later from a task that is being changed, and from its series', async () => {
    const anna = someone();
    const contact_id = await contactOf(anna);
    const { tasks, scheduledTasks } = scheduling.as(anna);
    const series = await scheduledTasks.create({
      ...{
        assigned_user_id: anna.id,
        due_at: '2026-03-02T09:00:00',
        description: 'Call',
        status: 'incomplete',
      },
      ...{ contact_id, recurrence_rule: 'FREQ=DAILY;COUNT=3' },
    });
    await tasks.create({ ...draft, contact_id });
    const lock = 'select from task_series where id = $1 for update';
    await using held = await openTransaction(scheduling.database, lock, [series.scheduled_event_id]);
    await removed(contact_id, anna);
    const left = { tasks: 3, series: 1, isNoted: true };
    expect(await naming(contact_id)).toEqual(left);
    await forgetRemovedContacts(scheduling.database);
    expect(await naming(contact_id)).toEqual(left);
    // Nobody holds them while waiting for the series, so that no deadlock is possible.
    await rows('select from tasks where scheduled_event_id = $1 for update nowait', [
      series.scheduled_event_id,
    ]);
    await held.rollback();
    await forgetRemovedContacts(scheduling.database, 2);
    expect(await naming(contact_id)).toEqual(nothing);
  });

  it('that few tasks refer to is cleared immediately, even if the event arrives twice', async () => {
    const anna = someone();
    const contact_id = await contactOf(anna);
    await scheduling.as(anna).tasks.create({ ...draft, contact_id });
    for (let times = 0; times < 2; times++) {
      await removed(contact_id, anna);
      expect(await naming(contact_id)).toEqual(nothing);
    }
  });
});

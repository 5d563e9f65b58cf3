import { contactRemoved } from '@crm/events';
import { openTransaction, someone, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { forgetRemovedContacts } from './forget-removed-contacts.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);
const { rows, database } = scheduling;

/** Anna, with a contact, a task category and a task, and the requests that write a task about the contact. */
async function world() {
  const anna = someone();
  const contact_id = (await scheduling.contacts.as(anna).contacts.create({ first_name: 'Bill' })).id;
  const { tasks, scheduledTasks, taskCategories } = scheduling.as(anna);
  const { id: category_id } = await taskCategories.create({ name: 'Calls' });
  const words = { description: 'Call', status: 'incomplete' } as const;
  const draft = { ...words, assigned_user_id: anna.id, due_at: '2027-03-02T09:00:00' };
  const { id, scheduled_event_id } = await scheduledTasks.create(draft);
  const recurring = { recurrence_rule: 'FREQ=DAILY', category_id };
  return {
    category_id,
    scheduled_event_id,
    remove: async () => {
      await scheduling.contacts.as(anna).contacts.remove({ id: contact_id });
      const data = { contact_id, owner_user_id: anna.id, assigned_user_id: null };
      await scheduling.deliver(contactRemoved, data);
    },
    requests: {
      'POST /tasks': () => tasks.create({ ...words, action_type: 'None', contact_id }),
      'POST /api/v1/scheduled/tasks': () => scheduledTasks.create({ ...draft, ...recurring, contact_id }),
      'PATCH /tasks': () => tasks.patch({ id, contact_id }),
      'PATCH /api/v1/scheduled/tasks': () => scheduledTasks.patch({ ...draft, id, contact_id }),
    },
    naming: async () => {
      await forgetRemovedContacts(database);
      const of = async (table: string) =>
        (await rows(`select from ${table} where contact_id = $1`, [contact_id])).length;
      return { tasks: await of('tasks'), series: await of('task_series') };
    },
  };
}

describe('a contact that is removed while a task about it is being written stays in no task', () => {
  it.each(['POST /api/v1/scheduled/tasks', 'PATCH /tasks', 'PATCH /api/v1/scheduled/tasks'] as const)(
    'if it is removed before %s checks it in its transaction, which is then refused',
    async (request) => {
      const { requests, remove, naming, category_id, scheduled_event_id } = await world();
      const lock = `with series as (select from task_series where id = $2::int for update)
        select from task_categories, series where id = $1::int for update of task_categories`;
      await using held = await openTransaction(database, lock, [category_id, scheduled_event_id]);
      const writing = requests[request]();
      await untilWaiting(rows, [writing]);
      await remove();
      await held.commit();
      await expect(writing).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { contact_id: expect.any(String) },
      });
      expect(await naming()).toEqual({ tasks: 0, series: 0 });
    },
  );

  it.each(['POST /tasks', 'POST /api/v1/scheduled/tasks'] as const)(
    'if %s comes first, because the removal waits for it',
    async (request) => {
      const { requests, remove, naming } = await world();
      await using held = await openTransaction(database, 'lock table task_series in share mode');
      const writing = requests[request]();
      await untilWaiting(rows, [writing]);
      const removing = remove();
      await untilWaiting(rows, [writing, removing]);
      await held.commit();
      await Promise.all([writing, removing]);
      expect(await naming()).toEqual({ tasks: 0, series: 0 });
    },
  );
});

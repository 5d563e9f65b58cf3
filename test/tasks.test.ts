import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { made } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: tasks', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const scheduled = '/api/v1/scheduled/tasks';
  const recurring = (person: Person, more: Json = {}) =>
    made(person, scheduled, {
      assigned_user_id: person.id,
      due_at: '2031-03-03T09:00:00',
      description: 'Call',
      status: 'incomplete',
      recurrence_rule: 'FREQ=DAILY;COUNT=4',
      ...more,
    });
  const daysOf = async ({ api }: Person) =>
    (await api.list(`${scheduled}?$sort[due_at]=1`)).data.map(({ due_at }) => String(due_at).slice(8, 10));

  it('recur at the same local time, in both versions', async () => {
    const anna = await system.person({ timezone: 'America/New_York' });
    await recurring(anna, { recurrence_rule: 'FREQ=WEEKLY;COUNT=40' });
    const newer = (await anna.api.list(`${scheduled}?$limit=100&$sort[due_at]=1`)).data;
    const older = (await anna.api.list('/tasks?$limit=100&$sort[due_at]=1')).data;
    expect(new Set(newer.map(({ due_at }) => String(due_at).slice(10)))).toEqual(new Set(['T09:00:00']));
    expect(new Set(older.map(({ due_at }) => String(due_at).slice(10)))).toEqual(new Set([' 09:00:00']));
    const hours = newer.map(({ due_at_utc }) => String(due_at_utc).slice(11, 13));
    expect(new Set(hours)).toEqual(new Set(['13', '14']));
    expect(older.map(({ id, due_at_utc }) => [id, due_at_utc])).toEqual(
      newer.map(({ id, due_at_utc }) => [id, due_at_utc]),
    );
  });

  it('read update_type from the body before the query', async () => {
    const anna = await system.person();
    const { id } = await recurring(anna);
    const { body } = await anna.api.patch(`${scheduled}/${id}?update_type=2`, {
      update_type: '3',
      status: 'complete',
      description: 'Not this',
    });
    expect(body).toMatchObject({ status: 'complete', description: 'Call' });
    const asked = await anna.api.patch(`${scheduled}/${id}?update_type=3`, { status: 'incomplete' });
    expect(asked).toMatchObject({ status: 200, body: { status: 'incomplete' } });
    expect((await anna.api.patch(`${scheduled}/${id}?update_type=4`, {})).status).toBe(400);
  });

  it('are removed by delete_type', async () => {
    const anna = await system.person();
    await recurring(anna);
    const [, second, third] = (await anna.api.list(`${scheduled}?$sort[due_at]=1`)).data;
    expect((await anna.api.delete(`${scheduled}/${third?.id}?delete_type=1`)).status).toBe(200);
    expect(await daysOf(anna)).toEqual(['03', '04', '06']);
    const path = `${scheduled}/${second?.id}`;
    expect((await anna.api.send('DELETE', path, { delete_type: 2 })).status).toBe(200);
    expect(await daysOf(anna)).toEqual(['03']);
  });

  it('lose their contact when it is removed', async () => {
    const anna = await system.person();
    const contact = await made(anna, '/contacts', { first_name: 'Bill' });
    await recurring(anna, { contact_id: contact.id });
    expect((await anna.api.list(`/tasks?contact_id=${contact.id}`)).total).toBe(4);
    await anna.api.delete(`/contacts/${contact.id}`);
    await system.settled();
    expect((await anna.api.list(`/tasks?contact_id=${contact.id}`)).total).toBe(0);
    expect((await anna.api.list('/tasks')).total).toBe(4);
  });

  it('have default categories that nobody can change', async () => {
    const anna = await system.person();
    const { data } = await anna.api.list('/api/v1/task-categories');
    const names = ['Call', 'Email', 'Text', 'Appointment', 'Showing', 'Other'];
    expect(data.map(({ name, user_id }) => [name, user_id])).toEqual(names.map((name) => [name, null]));
    const path = `/api/v1/task-categories/${data[0]?.id}`;
    for (const answer of [await anna.api.patch(path, { name: 'x' }), await anna.api.delete(path)])
      expect(answer).toMatchObject({ status: 403, body: { name: 'Forbidden' } });
  });
});

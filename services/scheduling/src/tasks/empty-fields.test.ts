import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);

describe('the fields of a task that are always empty', async () => {
  const { tasks } = scheduling.as(someone());
  const { id } = await tasks.create({ action_type: 'None', description: 'Call Bill', status: 'incomplete' });
  const idsOf = async (query: object) => (await tasks.find(query)).data.map((task) => task.id);

  it.each([
    { category: '' },
    { folder: null },
    { due_end_at: 'null' },
    { category: { $ne: 'x' } },
    { $sort: { category: 1, folder: -1, due_end_at: 1 } },
  ])('can be filtered and sorted by like others: %j finds it', async (query) => {
    expect(await idsOf(query)).toEqual([id]);
  });

  it.each([{ category: 'x' }, { folder: { $like: '%' } }, { due_end_at: { $gt: '2026-01-01' } }])(
    'can be filtered by like others: %j finds nothing',
    async (query) => {
      expect(await idsOf(query)).toEqual([]);
    },
  );

  it('reject an invalid value', async () => {
    const asked = tasks.find({ due_end_at: 'tomorrow' } as object);
    await expect(asked).rejects.toMatchObject({ name: 'BadRequest' });
  });
});

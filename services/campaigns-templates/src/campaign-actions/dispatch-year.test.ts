import { afterAll, describe, expect, it } from 'vitest';
import { actionsIn, refused, task } from '../../test/actions.ts';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
const { campaign } = actionsIn(service);

const exact = { ...task, timing_type: 'Exact Date and Time' } as const;
const error = refused({ dispatch_datetime: 'must be in the years 1970 to 2100' });

describe('the moment of a campaign action', () => {
  it.each(['0500-06-01T09:00:00Z', '1969-12-31T23:59:59Z', '2101-01-01T00:00:00Z', '9000-01-01T09:00:00Z'])(
    'cannot be %s, when no task may be due',
    async (dispatch_datetime) => {
      const { create, patch } = await campaign({ ...exact, dispatch_datetime: '2027-01-02T09:00:00Z' });
      await expect(create({ ...exact, dispatch_datetime })).rejects.toMatchObject(error);
      await expect(patch({ dispatch_datetime })).rejects.toMatchObject(error);
      expect(await patch({})).toMatchObject({ dispatch_datetime: '2027-01-02T09:00:00.000Z' });
    },
  );

  it.each(['1970-01-01T00:00:00.000Z', '2100-12-31T23:59:59.000Z'])(
    'may be %s',
    async (dispatch_datetime) => {
      const { create, patch } = await campaign(task);
      expect(await create({ ...exact, dispatch_datetime })).toMatchObject({ dispatch_datetime });
      expect(await patch({ ...exact, dispatch_datetime })).toMatchObject({ dispatch_datetime });
    },
  );

  it('is ignored whatever its year if the timing does not use it', async () => {
    const { patch } = await campaign(task);
    expect(await patch({ dispatch_datetime: '9000-01-01T09:00:00Z' })).toMatchObject({
      dispatch_datetime: null,
    });
  });

  it('from before there were limits is kept when the record is sent back with other changes', async () => {
    const { patch } = await campaign({ ...exact, dispatch_datetime: '2027-01-02T09:00:00Z' });
    const { id, template, ...record } = await patch({});
    const dispatch_datetime = '2150-01-01T09:00:00.000Z';
    await service.rows('update campaign_actions set dispatch_datetime = $2 where id = $1', [
      id,
      dispatch_datetime,
    ]);
    const changed = { dispatch_datetime, notes: 'Ask about the house' };
    expect(await patch({ ...record, ...changed })).toMatchObject(changed);
    expect(await patch({ notes: 'Ask again' })).toMatchObject({ dispatch_datetime, notes: 'Ask again' });
    await expect(patch({ dispatch_datetime: '2151-01-01T09:00:00Z' })).rejects.toMatchObject(error);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

/** Leads of a new user that were claimed after these times, or not at all. */
async function claimedAfter(...times: readonly (string | null)[]) {
  const anna = await leads.person();
  const api = leads.as(anna).leads;
  for (const time of times) {
    const { id } = await api.create({ contact_id: 9, claimed_via: time === null ? 'None' : 'Phone' });
    await leads.rows('update leads set claimed_at = created_at + $2::interval where id = $1', [id, time]);
  }
  return async (query: Parameters<typeof api.find>[0]) =>
    (await api.find(query)).data.map(({ time_to_claim }) => time_to_claim);
}

describe('the time to claim of a lead', () => {
  it('is compared as a duration, even above 100 hours', async () => {
    const find = await claimedAfter('100:30:00', '25:00:00', '00:00:05.9', null);
    const by = (time_to_claim: object) => find({ time_to_claim });
    expect(await by({ $gt: '24:00:00' })).toEqual(['100:30:00', '25:00:00']);
    expect(await by({ $gte: '25:00:00', $lt: '100:30:00' })).toEqual(['25:00:00']);
    expect(await by({ $lte: '00:00:05' })).toEqual(['00:00:05']);
    expect(await by({ $gt: '9:00:00' })).toEqual(['100:30:00', '25:00:00']);
    expect(await by({ $in: ['025:00:00', '00:00:05'] })).toEqual(['25:00:00', '00:00:05']);
    expect(await by({ $ne: '25:00:00' })).toEqual(['100:30:00', '00:00:05', null]);
    expect(await find({ time_to_claim: null })).toEqual([null]);
  });

  it.each([1, -1] as const)('is sorted as a duration in the direction %i', async (direction) => {
    const find = await claimedAfter('100:30:00', '25:00:00', '00:00:05');
    const shown = ['00:00:05', '25:00:00', '100:30:00'];
    const sorted = direction === 1 ? shown : shown.toReversed();
    const $sort = { time_to_claim: direction };
    expect(await find({ $sort })).toEqual(sorted);
  });

  it.each(['24 hours', '24:60:00', '24:00', '-01:00:00', `${'9'.repeat(12)}:00:00`, 86400])(
    'is not compared with %j',
    async (value) => {
      const find = await claimedAfter('25:00:00');
      await expect(find({ time_to_claim: { $gt: value as string } })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { 'time_to_claim.$gt': expect.stringContaining('such as 26:30:00') },
      });
    },
  );

  it('lets a sorted list continue after each of its leads', async () => {
    const anna = await leads.person();
    const api = leads.as(anna).leads;
    for (const time of ['100:30:00', '25:00:00', '25:00:00', '00:00:05']) {
      const { id } = await api.create({ contact_id: 9, claimed_via: 'Phone' });
      await leads.rows('update leads set claimed_at = created_at + $2::interval where id = $1', [id, time]);
    }
    const read: unknown[] = [];
    for (let $after: string | null = ''; $after !== null; ) {
      const page = await api.find({ $sort: { time_to_claim: 1 }, $limit: 1, $after });
      read.push(...page.data.map(({ time_to_claim }) => time_to_claim));
      $after = page.next ?? null;
    }
    expect(read).toEqual(['00:00:05', '25:00:00', '25:00:00', '100:30:00']);
  });
});

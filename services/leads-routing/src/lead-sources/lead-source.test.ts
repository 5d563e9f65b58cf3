import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

// No events are delivered here, so nothing that is found depends on them.
const service = await leadsUnderTest();
afterAll(service.close);

describe('lead sources', () => {
  it('include those of a new account and of a new contact source in the very next request', async () => {
    const anna = await service.person();
    const { leadSources } = service.as(anna);
    expect(await leadSources.find({ name: 'Zillow' })).toMatchObject({ total: 1 });
    await service.contacts.as(anna).contactSources.create({ name: 'Open house' });
    const { data } = await leadSources.find({ name: 'Open house' });
    expect(data).toMatchObject([{ name: 'Open house' }]);
    expect(await leadSources.get({ id: data[0]?.id ?? 0 })).toEqual(data[0]);
    expect((await leadSources.find({})).total).toBe(7);
  });

  it('are created once, however many requests list them at once', async () => {
    const { leadSources } = service.as(await service.person());
    const pages = await Promise.all(Array.from({ length: 10 }, () => leadSources.find({})));
    expect(pages.map(({ total }) => total)).toEqual(Array(10).fill(6));
  });

  it('of others stay hidden', async () => {
    const [anna, ben] = [await service.person(), await service.person()];
    await service.contacts.as(anna).contactSources.create({ name: 'Only mine' });
    expect((await service.as(anna).leadSources.find({ name: 'Only mine' })).total).toBe(1);
    expect((await service.as(ben).leadSources.find({ name: 'Only mine' })).total).toBe(0);
  });
});

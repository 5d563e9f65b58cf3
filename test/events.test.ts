import { afterAll, describe, expect, it } from 'vitest';
import { newRecord } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import { checkEvent } from './system/event-checker.ts';
import { startSystem } from './system.ts';

// Every system that a test starts has its events checked when it stops. This test verifies that the check works.
describe('events', async () => {
  const system = await startSystem('together');
  afterAll(system.stop);

  it('are published for every resource, as the AsyncAPI document describes them', async () => {
    const person = await system.person({ is_broker: true });
    for (const resource of creatable) {
      const { path } = await newRecord(person, resource);
      await person.api.delete(path);
    }
    const said = (await Promise.all(Object.keys(system.services).map(system.published))).flat();
    said.forEach(checkEvent);
    const services = new Set(said.map(({ type }) => type.split('.')[1]));
    expect(services).toEqual(new Set(Object.keys(system.services)));
    expect(new Set(said.map(({ type }) => type)).size).toBeGreaterThan(30);
  });

  it.each([
    ['has a field more', { email: 'ada@example.com' }, {}],
    ['tells more', {}, { email: 'ada@example.com' }],
    ['tells something else', {}, { user_id: 'somebody' }],
    ['is of an unknown type', { type: 'crm.identity.user.promoted' }, {}],
    ['is said by another service', { source: 'crm/contacts' }, {}],
    ['is about another thing', { subject: 'team/1' }, {}],
    ['has no version', { aggregateversion: undefined }, {}],
  ])('that one %s is found', async (_, fields, told) => {
    await system.person();
    const said = await system.published('identity');
    const created = said.find(({ type }) => type === 'crm.identity.user.created');
    if (!created) throw new Error('The event of the account is missing.');
    checkEvent(created);
    const other = JSON.parse(JSON.stringify({ ...created, ...fields, data: { ...created.data, ...told } }));
    expect(() => checkEvent(other)).toThrow(/expected/);
  });
});

import type { User } from '@crm/auth';
import { agentOf, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { campaignsUnderTest } from '../../test/harness.ts';

let ahead = 0;
const service = await campaignsUnderTest({ clock: () => new Date(Date.now() + ahead) });
afterAll(service.close);

const of = (user: User) => service.as(user).campaigns;
const namesSeenBy = async (user: User) => (await of(user).find({})).data.map(({ name }) => name);
const nameTaken = { name: 'Conflict', errors: { name: 'is already in use' } };

describe('a campaign', () => {
  it('belongs to its creator, and is hidden from everyone else', async () => {
    const [anna, bob] = [someone(), someone()];
    const made = await of(anna).create({ name: 'Drip' });
    expect(made).toMatchObject({
      name: 'Drip',
      is_broker_sharing_on: false,
      is_default: false,
      is_shared_by_broker: false,
    });
    expect(await of(anna).get({ id: made.id })).toEqual(made);
    expect(await namesSeenBy(bob)).toEqual([]);
    for (const forbidden of [of(bob).get, of(bob).patch, of(bob).remove]) {
      await expect(forbidden({ id: made.id })).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it('has a unique name per owner, regardless of case, even after a rename', async () => {
    const [anna, bob] = [someone(), someone()];
    await of(anna).create({ name: 'Buyers' });
    const other = await of(anna).create({ name: 'Sellers' });
    await expect(of(anna).create({ name: 'BUYERS' })).rejects.toMatchObject(nameTaken);
    await expect(of(anna).patch({ id: other.id, name: 'buyers' })).rejects.toMatchObject(nameTaken);
    expect(await namesSeenBy(anna)).toEqual(['Buyers', 'Sellers']);
    await expect(of(anna).patch({ id: other.id, name: 'SELLERS' })).resolves.toMatchObject({
      name: 'SELLERS',
    });
    await expect(of(bob).create({ name: 'Buyers' })).resolves.toMatchObject({ name: 'Buyers' });
  });

  it('is created once, however many concurrent requests use its name', async () => {
    const anna = someone();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => of(anna).create({ name: 'Once' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(nameTaken);
    }
    expect(await namesSeenBy(anna)).toEqual(['Once']);
  });

  it('is the only one to get a new name, however many are renamed to it at once', async () => {
    const anna = someone();
    const campaigns = [];
    for (let n = 0; n < 10; n++) campaigns.push(await of(anna).create({ name: `Before ${n}` }));
    const outcomes = await Promise.allSettled(
      campaigns.map(({ id }, n) => of(anna).patch({ id, name: n % 2 === 0 ? 'After' : 'AFTER' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(nameTaken);
    const names = await namesSeenBy(anna);
    expect(names.filter((name) => name.toLowerCase() === 'after')).toHaveLength(1);
    expect(names.filter((name) => name.startsWith('Before'))).toHaveLength(9);
  });

  it('frees its name when it is removed', async () => {
    const anna = someone();
    const { id } = await of(anna).create({ name: 'Again' });
    await of(anna).remove({ id });
    expect(await of(anna).create({ name: 'Again' })).toMatchObject({ name: 'Again' });
  });

  it('shows when it was created and when it was last changed', async () => {
    const anna = someone();
    const made = await of(anna).create({ name: 'Timed' });
    expect(made.modified_at).toBe(made.created_at);
    ahead += 60_000;
    const changed = await of(anna).patch({ id: made.id, is_broker_sharing_on: true });
    expect(changed.created_at).toBe(made.created_at);
    expect(Date.parse(changed.modified_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at) + 60_000);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['1', true],
    [0, false],
    [1, true],
  ])('accepts the sharing flag %j and stores it as %j', async (sent, shared) => {
    const anna = someone();
    const made = await of(anna).create({ name: 'Sent', is_broker_sharing_on: sent });
    expect(made.is_broker_sharing_on).toBe(shared);
    await of(anna).patch({ id: made.id, is_broker_sharing_on: !shared });
    expect(await of(anna).patch({ id: made.id, is_broker_sharing_on: sent })).toEqual({
      ...made,
      modified_at: expect.any(String),
    });
  });

  it.each([null, ''])('is not shared when it is created with %j, which a change refuses', async (none) => {
    const anna = someone();
    const draft = { is_broker_sharing_on: none as unknown as boolean };
    const { id, is_broker_sharing_on } = await of(anna).create({ name: 'Sent', ...draft });
    expect(is_broker_sharing_on).toBe(false);
    await expect(of(anna).patch({ id, ...draft })).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it.each(['yes', 'TRUE', 2])('is refused with %j for is_broker_sharing_on', async (sent) => {
    const anna = someone();
    const error = { name: 'BadRequest', errors: { is_broker_sharing_on: 'must be true or false' } };
    const draft = { is_broker_sharing_on: sent as string };
    await expect(of(anna).create({ name: 'Sent', ...draft })).rejects.toMatchObject(error);
    const { id } = await of(anna).create({ name: 'Sent' });
    await expect(of(anna).patch({ id, ...draft })).rejects.toMatchObject(error);
  });

  it('is visible to sub-accounts while its owner shares it, but they cannot change it', async () => {
    const broker = someone({ is_broker: true });
    const agent = agentOf(broker);
    const { id } = await of(broker).create({ name: 'Shared', is_broker_sharing_on: true });
    await of(broker).create({ name: 'Private' });
    expect((await of(agent).find({})).data).toMatchObject([{ id, is_shared_by_broker: true }]);
    expect(await of(broker).get({ id })).toMatchObject({ is_shared_by_broker: false });
    await expect(of(agent).patch({ id, name: 'Mine' })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(of(agent).remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    await of(broker).patch({ id, is_broker_sharing_on: 'false' });
    expect(await namesSeenBy(agent)).toEqual([]);
  });

  it('can be found and sorted by whether the broker shares it', async () => {
    const broker = someone({ is_broker: true });
    const agent = agentOf(broker);
    const { id } = await of(broker).create({ name: 'Shared', is_broker_sharing_on: true });
    const own = await of(agent).create({ name: 'Own' });
    const idsFor = async (user: User, query: object) =>
      (await of(user).find(query)).data.map((campaign) => campaign.id);
    expect(await idsFor(agent, { is_shared_by_broker: true })).toEqual([id]);
    expect(await idsFor(agent, { is_shared_by_broker: { $ne: true } })).toEqual([own.id]);
    expect(await idsFor(agent, { is_shared_by_broker: { $in: [] } })).toEqual([]);
    expect(await idsFor(agent, { $sort: { is_shared_by_broker: 1 } })).toEqual([own.id, id]);
    expect(await idsFor(agent, { $sort: { is_shared_by_broker: -1 } })).toEqual([id, own.id]);
    expect(await idsFor(broker, { is_shared_by_broker: true })).toEqual([]);
    expect(await idsFor(broker, { is_shared_by_broker: false, $sort: { is_shared_by_broker: 1 } })).toEqual([
      id,
    ]);
    const found = await of(agent).get({ id, $where: { is_shared_by_broker: true } });
    expect(found).toMatchObject({ id, is_shared_by_broker: true });
    const other = of(agent).get({ id, $where: { is_shared_by_broker: false } });
    await expect(other).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('of a sub-account is hidden from its broker', async () => {
    const broker = someone({ is_broker: true });
    await of(agentOf(broker)).create({ name: 'Of the agent', is_broker_sharing_on: true });
    expect(await namesSeenBy(broker)).toEqual([]);
  });

  it('that is built in is visible to everyone, and nobody can change it', async () => {
    const anna = someone();
    const [row] = await service.rows(
      `insert into campaigns (name, is_broker_sharing_on, is_default, created_at, modified_at)
       values ('Starter', false, true, now(), now()) returning id`,
    );
    const id = Number(row?.id);
    expect(await of(anna).get({ id })).toMatchObject({ is_default: true, is_shared_by_broker: false });
    await expect(of(anna).patch({ id, name: 'Mine' })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(of(anna).remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    await service.rows('delete from campaigns where id = $1', [id]);
  });

  it.each([
    [{}, 'is required'],
    [{ name: '' }, 'must not be empty'],
    [{ name: null }, 'must be a string'],
    [{ name: 'x'.repeat(256) }, 'must have at most 255 characters'],
  ])('is not created from %j', async (draft, text) => {
    const anna = someone();
    await expect(of(anna).create(draft as { name: string })).rejects.toMatchObject({
      errors: { name: text },
    });
    expect(await namesSeenBy(anna)).toEqual([]);
  });

  it('is published by its ids when it is created, changed and removed', async () => {
    const anna = someone();
    const { id } = await of(anna).create({ name: 'Secret' });
    await of(anna).patch({ id, name: 'Secret too' });
    await of(anna).remove({ id });
    const data = { campaign_id: id, owner_user_id: anna.id };
    const published = (await service.published()).filter((event) => event.type.includes('campaign.'));
    expect(published.slice(-3)).toMatchObject(
      ['created', 'changed', 'removed'].map((what) => ({
        type: `crm.campaigns-templates.campaign.${what}`,
        data,
      })),
    );
    expect(JSON.stringify(published)).not.toContain('Secret');
  });
});

describe('other services', () => {
  it('can query which campaigns a user may use, and the names of all campaigns', async () => {
    const broker = someone({ is_broker: true });
    const agent = agentOf(broker);
    const shared = await of(broker).create({ name: 'S', is_broker_sharing_on: true });
    const hidden = await of(broker).create({ name: 'H' });
    const own = await of(agent).create({ name: 'O' });
    const ids = [shared.id, hidden.id, own.id, 999_999];
    expect(await of(agent).access({ ids })).toEqual([
      { id: shared.id, may: ['see'] },
      { id: own.id, may: ['see', 'change'] },
    ]);
    expect(await service.asSystem.campaigns.byIds({ ids })).toEqual([
      { id: shared.id, name: 'S' },
      { id: hidden.id, name: 'H' },
      { id: own.id, name: 'O' },
    ]);
    await expect(of(agent).byIds({ ids })).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

import type { User } from '@crm/auth';
import { type Query, searchPage } from '@crm/data';
import { type PlanNode, planNodes, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { leadApi } from './lead.api.ts';
import { searchedLeads } from './lead.queries.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

const add = (user: User, lead: object) => leads.as(user).leads.create({ contact_id: 999_999, ...lead });

/** The cities of the leads that a user finds with some words. */
async function found(user: User, $search: string, more: object = {}) {
  const { data, total } = await leads.as(user).leads.find({ $search, ...more });
  expect(total).toBe(data.length);
  return data.map(({ city }) => city);
}

describe('a search of leads', () => {
  it('finds leads by facts about the property and by the name of their source', async () => {
    const anna = await leads.person();
    const [zillow, realtor] = [await leads.leadSourceOf(anna), await leads.leadSourceOf(anna, 'Realtor.com')];
    const lead = { street_address: '171 Lake Washington Blvd E', city: 'Seattle', zipcode: 98112 };
    const { id } = await add(anna, { ...lead, mls_id: 'A-7', type: 'Buyer', source_id: zillow });
    for (const words of ['lake wash', '171 seattle', '98112', 'a-7', 'buyer zilow', 'zillow'])
      expect(await found(anna, words), words).toEqual(['Seattle']);
    expect(await found(anna, 'realtor')).toEqual([]);
    await leads.rows('update leads set source_id = $2 where id = $1', [id, realtor]);
    expect(await found(anna, 'realtor.com lake')).toEqual(['Seattle']);
    expect(await found(anna, 'zillow')).toEqual([]);
  });

  it('finds only leads that the caller sees, for each possible reason, and combines with other parameters', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const { id } = await add(anna, { city: 'Assigned', type: 'Kelleria' });
    await add(anna, { city: 'Own', type: 'Kelleria' });
    await leads.rows('update leads set assigned_user_id = $2 where id = $1', [id, ben.id]);
    expect(await found(anna, 'kelleria')).toEqual(['Own', 'Assigned']);
    expect(await found(anna, 'kelleria', { $sort: { id: 1 } })).toEqual(['Assigned', 'Own']);
    expect(await found(anna, 'kelleria', { assigned_user_id: ben.id })).toEqual(['Assigned']);
    expect(await found(ben, 'kelleria')).toEqual(['Assigned']);
    expect(await found(await leads.person(), 'kelleria')).toEqual([]);
  });

  it('never scans the leads of others, and searches the leads of a creator by the index of their words', async () => {
    await leads.rows(
      `insert into leads (creator_user_id, contact_id, distribution_target, status, claimed_via, city, created_at)
       select case when i <= 9800 then 1 + i % 50 else 999 end, 1, 'Myself', 'Pending', 'None', 'C' || i, now()
       from generate_series(1, 10000) i`,
    );
    await leads.rows('analyze leads');
    for (const find of [{ $search: 'smith' }, { $search: 'smith', $sort: { created_at: -1 } }]) {
      const nodes = await nodesOf(find);
      const scans = nodes.filter((node) => node['Relation Name'] === 'leads' && !node['Recheck Cond']);
      expect(scans.filter((node) => !node['Index Cond'])).toEqual([]);
      const words = nodes.filter((node) => node['Index Name'] === 'leads_creator_words');
      expect(words.length).toBeGreaterThan(0);
      for (const node of words) expect(node['Index Cond']).toContain('creator_user_id');
    }
  });
});

/** The nodes of the query plan of a search. */
async function nodesOf(find: object): Promise<PlanNode[]> {
  const nodes: PlanNode[] = [];
  const query: Query = async (text) => {
    nodes.push(...(await planNodes(leads.rows, text)));
    return [{ total: 0, records: null }];
  };
  const { $search = [], ...input } = leadApi.find.input.parse(find);
  await searchPage(query, searchedLeads, someone({ id: 999 }), input, $search);
  return nodes;
}

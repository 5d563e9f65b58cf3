import { findPage, type Query, type Row, searchPage } from '@crm/data';
import { someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { columnOfValues } from '../custom-fields/custom-field.queries.ts';
import { contactApi } from './contact.api.ts';
import { searchedContacts } from './search.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const mates = [1, 2, 3];
const columns = { ...searchedContacts.columns, 'custom_fields.7': columnOfValues('7', 'Number') };
const model = { ...searchedContacts, columns };

beforeAll(async () => {
  // The contacts of the last user are at the end of the table, after those of everyone else. In portions, because a
  // statement has five seconds.
  for (let from = 1; from <= 40_000; from += 5_000)
    await contacts.rows(
      `insert into contacts (owner_user_id, assigned_user_id, first_name, last_name, email, created_at, modified_at)
       select case when i <= 39000 then 1 + i % 50 else 999 end, case when i % 10 = 0 then 1 + i % 50 end,
         'F' || i, 'L' || i % 100, 'p' || i || '@example.com', now(), now()
       from generate_series($1::int, $1::int + 4999) i`,
      [from],
    );
  await contacts.rows('analyze contacts');
});

interface Node extends Row {
  readonly Plans?: readonly Node[];
}

/** The nodes of a statement's plan, as it is planned for all values, which is how a prepared statement runs. */
async function nodesOf(find: object, sharing: readonly number[]): Promise<Node[]> {
  const actor = someone({ id: 999, teammate_ids: sharing, sharing_teammate_ids: sharing });
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const query: Query = async (text) => {
    const [row] = await contacts.rows(`explain (generic_plan, format json) ${text}`);
    for (const { Plan } of (row?.['QUERY PLAN'] ?? []) as { readonly Plan: Node }[]) visit(Plan);
    return [{ body: '{}' }];
  };
  const { $search, ...input } = contactApi.find.input.parse(find);
  if ($search) await searchPage(query, model, actor, input, $search);
  else await findPage(query, model, actor, input);
  return nodes;
}

/** The scans of contacts in a plan that are not limited by an index condition. */
async function fullScansOf(find: object, sharing: readonly number[]) {
  const isFull = (node: Node) =>
    node['Node Type'] === 'Seq Scan' || (/^Index/.test(String(node['Node Type'])) && !node['Index Cond']);
  const scans = (await nodesOf(find, sharing)).filter(
    (node) => /^(contacts|custom_field_values)$/.test(String(node['Relation Name'])) && isFull(node),
  );
  return scans.map((node) => `${node['Node Type']} ${node['Index Name']}`);
}

describe('a list of contacts', () => {
  it.each([
    ['in the default order', {}],
    ['by e-mail address', { email: 'p39500@example.com' }],
    ['by phone number', { mobile_phone: '604-555-4572' }],
    ['by a field without an index', { last_name: 'L7' }],
    ['newest first', { $sort: { created_at: -1 } }],
    ['last changed first', { $sort: { modified_at: -1 } }],
    ['last active first', { $sort: { last_activity_at: -1 } }],
    ['by a custom field', { 'custom_fields.7': '7' }],
    ['on a later page', { $skip: 500 }],
    ['with a search', { $search: 'ann 604-555-4572' }],
    ['with a search and an order', { $search: 'smith', $sort: { created_at: -1 } }],
  ])('%s never scans the contacts of others', async (_, find) => {
    expect(await fullScansOf(find, [])).toEqual([]);
    expect(await fullScansOf(find, mates)).toEqual([]);
  });

  it.each([
    ['modified_at', 'contacts_owner_modified'],
    ['last_activity_at', 'contacts_owner_activity'],
  ])('by %s is read along the index of that order', async (field, index) => {
    for (const direction of [1, -1]) {
      const nodes = await nodesOf({ $sort: { [field]: direction } }, []);
      expect(nodes.map((node) => node['Index Name'])).toContain(index);
    }
  });

  it('with a search asks the index of words for those of an owner', async () => {
    for (const sharing of [[], mates]) {
      const nodes = await nodesOf({ $search: 'smith' }, sharing);
      const conditions = nodes
        .filter((node) => node['Index Name'] === 'contacts_owner_search')
        .map((node) => String(node['Index Cond']));
      expect(conditions.filter((condition) => !condition.includes('owner_user_id'))).toEqual([]);
      expect(conditions.filter((condition) => condition.includes('search_text')).length).toBeGreaterThan(1);
    }
  });
});

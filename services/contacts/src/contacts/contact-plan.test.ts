import { findPage, type Row } from '@crm/data';
import { someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { contactApi } from './contact.api.ts';
import { contactRows } from './contact.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const mates = [1, 2, 3];

beforeAll(async () => {
  // The contacts of the last user are at the end of the table, after those of everyone else.
  await contacts.rows(
    `insert into contacts (owner_user_id, assigned_user_id, first_name, last_name, email, created_at, modified_at)
     select case when i <= 39000 then 1 + i % 50 else 999 end, case when i % 10 = 0 then 1 + i % 50 end,
       'F' || i, 'L' || i % 100, 'p' || i || '@example.com', now(), now() from generate_series(1, 40000) i`,
  );
  await contacts.rows('analyze contacts');
});

interface Node extends Row {
  readonly Plans?: readonly Node[];
}

/** The scans of contacts in a statement's plan that are not limited by an index condition. */
async function fullScansOf(find: object, sharing: readonly number[]) {
  const actor = someone({ id: 999, teammate_ids: sharing, sharing_teammate_ids: sharing });
  const scans: string[] = [];
  await findPage(
    async (text) => {
      // As it is planned for all values, which is how a prepared statement runs.
      const [row] = await contacts.rows(`explain (generic_plan, format json) ${text}`);
      const visit = (node: Node) => {
        const isFull =
          node['Node Type'] === 'Seq Scan' ||
          (/^Index/.test(String(node['Node Type'])) && !node['Index Cond']);
        if (isFull && node['Relation Name'] === 'contacts')
          scans.push(`${node['Node Type']} ${node['Index Name']}`);
        node.Plans?.forEach(visit);
      };
      const plans = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: Node }[];
      for (const { Plan } of plans) visit(Plan);
      return [{ body: '{}' }];
    },
    contactRows,
    actor,
    contactApi.find.input.parse(find),
  );
  return scans;
}

describe('a list of contacts', () => {
  it.each([
    ['in the default order', {}],
    ['by e-mail address', { email: 'p39500@example.com' }],
    ['by phone number', { mobile_phone: '604-555-4572' }],
    ['by a field without an index', { last_name: 'L7' }],
    ['newest first', { $sort: { created_at: -1 } }],
    ['last changed first', { $sort: { modified_at: -1 } }],
    ['on a later page', { $skip: 500 }],
  ])('%s never scans the contacts of others', async (_, find) => {
    expect(await fullScansOf(find, [])).toEqual([]);
    expect(await fullScansOf(find, mates)).toEqual([]);
  });
});

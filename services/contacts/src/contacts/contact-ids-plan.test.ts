import type { Query } from '@crm/data';
import { planNodes, someone } from '@crm/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { lockUsable } from '../imported-rows/imported-row.queries.ts';
import { sharesOf } from '../shares/share.queries.ts';
import { lockSeenContacts } from '../static-lists/static-list-contact.queries.ts';
import { contactRows } from './contact.queries.ts';
import { seenAmong, seenWithMobilePhones } from './contact-access.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const office = Array.from({ length: 40 }, (_, index) => index + 1);
const user = someone({ id: 1, teammate_ids: office, sharing_teammate_ids: office });

beforeAll(async () => {
  // Without statistics, as after a large import.
  await contacts.rows(
    `insert into contacts (owner_user_id, first_name, mobile_phone, mobile_phone_e164, created_at, modified_at)
     select 1, 'F' || i, '+1604' || 2000000 + i, '+1604' || 2000000 + i, now(), now() from generate_series(1, 5000) i`,
  );
});

/** The conditions of the indexes that a statement reads. */
async function conditionsOf(read: (query: Query) => Promise<unknown>): Promise<string> {
  const conditions: unknown[] = [];
  await read(async (text) => {
    for (const node of await planNodes(contacts.rows, text)) conditions.push(node['Index Cond']);
    return [];
  });
  return conditions.join(' ');
}

it.each<[string, RegExp, (query: Query) => Promise<unknown>]>([
  ['are asked about', /\bid = ANY/, (query) => seenAmong(query, user, [1])],
  [
    'are found by phone numbers',
    /e164.* = ANY/,
    (query) => seenWithMobilePhones(query, user, ['+16042000001']),
  ],
  ['are shown with their shares', /\bid = ANY/, (query) => sharesOf(query, user, [1])],
  ['are added to a list', /\bid = ANY/, (query) => lockSeenContacts(query, user, [1])],
  ['are updated by an import', /\bid = ANY/, (query) => lockUsable(query, user, contactRows, [1])],
])('contacts that %s are not looked for among all that the user sees', async (_, found, read) => {
  const conditions = await conditionsOf(read);
  expect(conditions).toMatch(found);
  expect(conditions).not.toMatch(/user_id/);
});

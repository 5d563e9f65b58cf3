import type { Query } from '@crm/data';
import type { Context } from '@crm/service';
import { someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { selectedContacts } from './selected-contacts.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

it('a search that selects contacts finds similar words, and does not look at the time', async () => {
  const anna = someone();
  const { id } = await contacts.as(anna).contacts.create({ first_name: 'Smith' });
  const statements: string[] = [];
  const query: Query = (text, values) => {
    statements.push(text);
    return contacts.database.query(text, values);
  };
  const ctx = { query, actor: anna, user: anna } as Context;
  expect(await selectedContacts(ctx, { filter: { $search: 'smiht' } })).toEqual([id]);
  expect(statements).toEqual([expect.not.stringContaining('clock_timestamp')]);
});

import type { User } from '@crm/auth';
import { seed } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { accountsUnderTest } from './accounts.ts';
import { richContact } from './rich-contacts.ts';

/** 10,000 contacts with TEST_SCALE=50. */
const count = 200 * Number(process.env.TEST_SCALE ?? 1);

const accounts = await accountsUnderTest();
afterAll(accounts.close);

/** Two fields have the same name, and one has a name that looks like a formula. */
const fields = [
  { name: 'Pet', data_type: 'Text' },
  { name: 'Budget', data_type: 'Dollar Amt', rank: 1 },
  { name: 'Closing', data_type: 'Date' },
  { name: 'Lot, "size"', data_type: 'Number', rank: 5 },
  { name: 'Pet', data_type: 'Text' },
] as const;

/** An account with many rich contacts, through the operations of single records. */
async function fill(user: User, colleagues: readonly User[]) {
  const api = accounts.as(user);
  const customFields = await Promise.all(fields.map((field) => api.customFields.create(field)));
  const hotnesses = [
    await api.hotnesses.create({ name: 'Hot, "very"' }),
    await api.hotnesses.create({ name: "'Cold" }),
  ];
  const sources = [
    await api.contactSources.create({ name: '=Fair' }),
    await api.contactSources.create({ name: 'Open house ' }),
  ];
  const contacts = fc.sample(richContact, { numRuns: count, seed });
  for (const { draft, values, hotness, source, assignee, shares } of contacts) {
    const { id } = await api.contacts.create({
      ...draft,
      hotness_id: hotness === null ? null : (hotnesses[hotness]?.id ?? null),
      source_id: source === null ? null : (sources[source]?.id ?? null),
      assigned_user_id: assignee === null ? null : (colleagues[assignee]?.id ?? null),
      custom_fields: values.map((value, index) => ({ id: customFields[index]?.id ?? 0, value })),
    });
    for (const index of shares)
      await api.shares.create({ contact_id: id, user_id: colleagues[index]?.id ?? 0 });
    // Sharing is a change, and the time of the last change is a part of the contact.
    await api.contacts.patch({ id, modified_at: draft.modified_at });
  }
}

describe('an export', () => {
  it(
    'imported into an empty account gives the same export, byte by byte',
    async () => {
      const colleagues = [accounts.agent(), accounts.agent()];
      const [user, other] = [accounts.teammateOf(...colleagues), accounts.teammateOf(...colleagues)];
      await fill(user, colleagues);
      const exported = await accounts.export(user);
      const path = accounts.file('export.csv', exported);
      const order = { duplicates: 'create', createMissing: true } as const;
      const summary = await accounts.import(other, path, order);
      expect(summary).toMatchObject({ created: count, failed: 0, errors: [], ignored_columns: [] });
      const again = await accounts.export(other);
      expect(again.split('\n')).toEqual(exported.split('\n'));
      expect(again).toBe(exported);
      expect(exported.split('\n')[0]).toContain('address_3_city');
      expect(exported).toContain(colleagues.map(accounts.emailOf).join(', '));
      expect(await accounts.import(other, path, order)).toMatchObject({ created: 0, skipped: count });
      expect(
        await accounts.rows('select id from contacts where owner_user_id = $1', [other.id]),
      ).toHaveLength(count);
    },
    60_000 * Math.max(1, count / 500),
  );

  it('of several users names the owner of each contact, and is imported for these owners', async () => {
    const [anna, ben, cleo] = [accounts.agent(), accounts.agent(), accounts.agent()];
    for (const [index, user] of [anna, ben, cleo].entries()) {
      const { id } = await accounts
        .as(user)
        .customFields.create({ name: `Field ${index}`, data_type: 'Text' });
      const custom_fields = [{ id, value: 'x' }];
      await accounts.as(user).contacts.create({ first_name: `Of ${user.id}`, custom_fields });
    }
    const exported = await accounts.export(anna, ben, cleo);
    const path = accounts.file('all.csv', exported);
    const summary = await accounts.import(anna, path, { duplicates: 'create', createMissing: true });
    expect(summary).toMatchObject({
      created: 1,
      failed: 2,
      errors: [{ column: 'owner' }, { column: 'owner' }],
    });
    expect(summary.errors[0]?.reason).toContain(`belongs to ${accounts.emailOf(ben)}`);
    for (const user of [anna, ben]) await emptied(user);
    const again = await accounts.importForOwners([anna, ben], path);
    expect(again).toMatchObject({ created: 2, failed: 1, user_id: null });
    expect(again.errors[0]?.reason).toContain(`without an active account, ${accounts.emailOf(cleo)}`);
    expect((await accounts.export(anna, ben, cleo)).split('\n')).toEqual(exported.split('\n'));
  });
});

async function emptied(user: User) {
  for (const { id } of await accounts.contactsOf(user)) await accounts.as(user).contacts.remove({ id });
}

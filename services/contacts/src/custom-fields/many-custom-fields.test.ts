import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, done, ofUser } = contacts;

const refused = { name: 'Conflict', reason: 'too_many_custom_fields' };

/** A user with a number of custom fields. */
async function owner(fields: number) {
  const anna = await person();
  await rows(
    `insert into custom_fields (user_id, name, rank, data_type)
     select $1, format('Field %s', n), n, 'Text' from generate_series(1, $2::int) n`,
    [anna.id, fields],
  );
  return { anna, api: contacts.as(anna) };
}

const draft = { name: 'Pets', data_type: 'Text' } as const;

describe('a user', () => {
  it('has 500 custom fields at most, and another one only after removing one', async () => {
    const { api } = await owner(499);
    const { id } = await api.customFields.create(draft);
    await expect(api.customFields.create(draft)).rejects.toMatchObject(refused);
    expect((await api.customFields.find({})).total).toBe(500);
    await api.customFields.remove({ id });
    expect(await api.customFields.create(draft)).toMatchObject(draft);
  });

  it('who has more keeps and changes them', async () => {
    const { api } = await owner(600);
    const { data, total } = await api.customFields.find({ $limit: 1 });
    expect(total).toBe(600);
    const [{ id } = { id: 0 }] = data;
    expect(await api.customFields.patch({ id, name: 'Cars' })).toMatchObject({ name: 'Cars' });
    expect((await api.contacts.create({ first_name: 'Bill' })).custom_fields).toHaveLength(600);
    await expect(api.customFields.create(draft)).rejects.toMatchObject(refused);
  });

  it('has no more by requests at the same moment, or because others have many', async () => {
    const [{ api }, other] = [await owner(499), await owner(10)];
    await using held = await openTransaction(contacts.database, 'lock table custom_fields in share mode');
    const adding = [1, 2, 3].map(() => api.customFields.create(draft));
    await untilWaiting(rows, adding);
    await held.rollback();
    const added = await Promise.allSettled(adding);
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await other.api.customFields.create(draft)).toMatchObject(draft);
  });
});

describe('an import that creates missing custom fields', () => {
  const text = 'First Name,custom:Pets,custom:Cars\nBill,Rex,Two';

  it.each([true, false])(
    'ends before its first row if they would be too many, dry run: %s',
    async (dry_run) => {
      const { anna, api } = await owner(499);
      const options = { create_missing: true, dry_run };
      expect(await done(anna, text, options)).toMatchObject({
        status: 'Failed',
        created: 0,
        error:
          'The import would create 2 custom fields, but the account can have only 1 more (500 in all). Remove some, or leave columns out.',
      });
      expect((await api.customFields.find({})).total).toBe(499);
      expect(await ofUser(anna)).toEqual([]);
    },
  );

  it.each([true, false])('adds as many as are left, dry run: %s', async (dry_run) => {
    const { anna, api } = await owner(498);
    expect(await done(anna, text, { create_missing: true, dry_run })).toMatchObject({
      status: 'Done',
      created: 1,
    });
    expect((await api.customFields.find({})).total).toBe(dry_run ? 498 : 500);
  });

  it('adds contacts of somebody who has more, if it creates none', async () => {
    const { anna } = await owner(600);
    const known = 'First Name,custom:Field 7\nBill,Rex';
    expect(await done(anna, known, { create_missing: true })).toMatchObject({ status: 'Done', created: 1 });
  });
});

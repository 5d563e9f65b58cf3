import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser } = contacts;

it('custom fields with one name keep their values if an export is imported again, whatever their order and owner', async () => {
  const broker = await person({ is_broker: true });
  const { id: user } = await person();
  await contacts.identity.asSystem.subAccounts.consent({ broker: broker.id, user });
  const shown = { user_id: user, is_custom_fields_enabled: true };
  await contacts.identity.as(broker).subAccounts.create(shown);
  const anna = await contacts.renewed(user);
  const api = contacts.as(anna);
  const fieldOf = (user: typeof broker, rank: number) =>
    contacts.as(user).customFields.create({ name: 'Pet', data_type: 'Text', rank });
  const fields = [await fieldOf(anna, 3), await fieldOf(anna, 2), await fieldOf(broker, 1)];
  await api.contacts.create({
    email: 'kim@x.example',
    custom_fields: fields.map(({ id }) => ({ id, value: `Value of ${id}` })),
  });
  const before = await ofUser(anna);
  expect(before[0]?.custom_fields).toHaveLength(3);
  const { text } = await api.exports.contacts({});
  expect(await done(anna, text, { duplicates: 'update' })).toMatchObject({ updated: 1, failed: 0 });
  expect((await ofUser(anna))[0]?.custom_fields).toEqual(before[0]?.custom_fields);
});

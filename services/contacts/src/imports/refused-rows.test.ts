import type { BrokerSwitches, User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, errorsOf } = contacts;

/** A teammate of a user, with the user as they are in the team. */
async function teammates(user: User) {
  const mate = await person({ first_name: 'Ben' });
  const { asSystem } = contacts.identity;
  const { id } = await contacts.identity.as(user).teams.create({ name: 'North' });
  const invited = await asSystem.teamMembers.invite({ team_id: id, user_id: mate.id });
  await contacts.identity.as(mate).teamMembers.patch({ id: invited.id, request_status: 'Accepted' });
  const [{ email } = { email: '' }] = await asSystem.users.byIds({ ids: [mate.id] });
  return { user: await contacts.now(user), email };
}

/** A sub-account whose broker has forbidden something. */
async function subAccount(switches: Partial<BrokerSwitches>) {
  const broker = await person({ is_broker: true });
  const user = await person();
  const { subAccounts } = contacts.identity.asSystem;
  await subAccounts.consent({ broker: broker.id, user: user.id });
  await contacts.identity.as(broker).subAccounts.create({ user_id: user.id, ...switches });
  return contacts.renewed(user.id);
}

describe('a row that is refused', () => {
  it('leaves the contact that it would have updated as it was', async () => {
    const { user: anna, email } = await teammates(await person());
    const api = contacts.as(anna);
    const tags = Array.from({ length: 46 }, (_, n) => `number ${n + 10}`).join(', ');
    const { id } = await api.contacts.create({ email: 'full@example.com', tags });
    const text = `Email,Company,Shared With\nfull@example.com,New Ltd,${email}`;
    const one = await done(anna, text, { duplicates: 'update', tags: 'Spring' });
    expect(one).toMatchObject({ status: 'Done', updated: 0, failed: 1 });
    expect(await errorsOf(anna, one.id)).toMatch(/at most 508 characters/);
    expect(await api.contacts.get({ id })).toMatchObject({ company: null, tags });
    expect(await api.shares.find({ contact_id: id })).toMatchObject({ total: 0 });
  });

  it('leaves what it has named to the rows behind it', async () => {
    const anna = await person();
    const api = contacts.as(anna);
    const tags = Array.from({ length: 46 }, (_, n) => `number ${n + 10}`).join(', ');
    await api.contacts.create({ email: 'full@example.com', tags });
    const free = await api.contacts.create({ email: 'free@example.com' });
    const text = 'Email,Hotness\nfull@example.com,Glowing\nfree@example.com,Glowing';
    const options = { duplicates: 'update', tags: 'Spring', create_missing: true } as const;
    expect(await done(anna, text, options)).toMatchObject({ status: 'Done', updated: 1, failed: 1 });
    expect(await api.contacts.get({ id: free.id })).toMatchObject({ hotness: { name: 'Glowing' } });
  });

  it('for a hotness whose name is too long does not keep the others from being imported', async () => {
    const anna = await person();
    const text = `First Name,Hotness\nAnna,Hot\nBen,${'x'.repeat(46)}\nCleo,`;
    for (const dry_run of [true, false]) {
      const one = await done(anna, text, { dry_run, create_missing: true });
      expect(one).toMatchObject({ status: 'Done', created: 2, failed: 1 });
      expect(await errorsOf(anna, one.id)).toMatch(/^Ben,.*Hotness: must have at most 45 characters/m);
    }
  });

  it('for what its account may not create does not keep the others from being imported', async () => {
    const anna = await subAccount({
      user_can_create_own_hotnesses: false,
      is_lead_sources_new_enabled: false,
    });
    const text = 'First Name,Hotness,Source\nAnna,,Zillow\nBen,Glowing,\nCleo,,Fair\nDan,,';
    for (const dry_run of [true, false]) {
      const one = await done(anna, text, { dry_run, create_missing: true });
      expect(one).toMatchObject({ status: 'Done', created: 2, failed: 2 });
      const errors = await errorsOf(anna, one.id);
      expect(errors).toMatch(/^Ben,.*Hotness: does not exist, and the account may not create it/m);
      expect(errors).toMatch(/^Cleo,.*Source: does not exist, and the account may not create it/m);
    }
  });
});

describe('an import by an account that may not create custom fields', () => {
  it('names them in a dry run as well', async () => {
    const anna = await subAccount({ is_custom_fields_new_enabled: false });
    const results = [];
    for (const dry_run of [true, false]) {
      const { status, error } = await done(anna, 'First Name,Pool\nAnna,yes', {
        dry_run,
        create_missing: true,
        mapping: { Pool: 'custom' },
      });
      results.push({ status, error });
    }
    expect(results[0]).toMatchObject({
      status: 'Failed',
      error: expect.stringMatching(/"Pool".*may not create any/),
    });
    expect(results[0]).toEqual(results[1]);
  });
});

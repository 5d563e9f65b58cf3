import type { User } from '@crm/auth';
import type { BrokerSwitches } from '@crm/contract';
import { joinTeam } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { linesType } from './import.api.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, done, errorsOf } = contacts;

/** A teammate of a user, with the user as they are in the team. */
async function teammates(user: User) {
  const mate = await person({ first_name: 'Ben' });
  const { id } = await contacts.identity.as(user).teams.create({ name: 'North' });
  await joinTeam(contacts.identity, id, mate);
  const [{ email } = { email: '' }] = await contacts.identity.asSystem.users.byIds({ ids: [mate.id] });
  return { user: await contacts.now(user), email };
}

/** A sub-account whose broker has forbidden something. */
async function subAccount(switches: Partial<BrokerSwitches>) {
  const user = await person();
  await underBroker(user, switches);
  return contacts.renewed(user.id);
}

/** Makes a user a sub-account of a new broker. */
async function underBroker(user: User, switches: Partial<BrokerSwitches>) {
  const broker = await person({ is_broker: true });
  const { subAccounts } = contacts.identity.asSystem;
  await subAccounts.consent({ broker: broker.id, user: user.id });
  await contacts.identity.as(broker).subAccounts.create({ user_id: user.id, ...switches });
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

  it('shares its contact with nobody', async () => {
    const { user: anna, email } = await teammates(await person());
    const api = contacts.as(anna);
    const addresses = Array.from({ length: 50 }, (_, n) => ({
      city: `City ${n}`,
      ...(n === 1 && { type: 'Home' as const }),
    }));
    const { id } = await api.contacts.create({ email: 'full@example.com', addresses });
    const text = `Email,Shared With,Address Type,City,address_2_city\nfull@example.com,${email},Home,Boston,Salem`;
    expect(await done(anna, text, { duplicates: 'update' })).toMatchObject({ updated: 0, failed: 1 });
    expect(await api.shares.find({ contact_id: id })).toMatchObject({ total: 0 });
  });

  it('opts its contact out of nothing', async () => {
    const anna = await person();
    const api = contacts.as(anna);
    const { id } = await api.contacts.create({ email: 'a@example.com' });
    const text = JSON.stringify({ email: 'a@example.com', email_opt_out: true, hotness_id: 999_999 });
    const options = { type: linesType, duplicates: 'update' } as const;
    expect(await done(anna, text, options)).toMatchObject({ status: 'Done', updated: 0, failed: 1 });
    expect(await api.consents.get({ id })).toMatchObject({ email_state: 'Allowed' });
    expect(await rows('select from agent_opt_outs where owner_user_id = $1', [anna.id])).toEqual([]);
  });

  it.each(['text/csv', linesType] as const)(
    'for tags of the import that the contact has no room for is refused in a dry run as well: %s',
    async (type) => {
      const anna = await person();
      const full = Array.from({ length: 46 }, (_, n) => `number ${n + 10}`).join(', ');
      for (const [email, tags] of [
        ['full@example.com', full],
        ['tagged@example.com', `${full.slice('number 10, '.length)}, Spring`],
        ['emptied@example.com', full],
        ['free@example.com', null],
      ] as const)
        await contacts.as(anna).contacts.create({ email, tags });
      const sent = [
        { email: 'full@example.com', company: 'New Ltd' },
        { email: 'tagged@example.com', company: 'New Ltd' },
        { email: 'emptied@example.com', tags: 'Few' },
        { email: 'emptied@example.com', company: 'New Ltd' },
        { email: 'free@example.com', company: 'New Ltd' },
        { email: 'added@example.com', company: 'New Ltd' },
        { email: 'added@example.com', company: 'Other Ltd' },
        ...Array.from({ length: 1_000 }, (_, n) => ({ email: `other${n}@example.com` })),
        { email: 'emptied@example.com', company: 'Other Ltd' },
        { email: 'full@example.com', company: 'Other Ltd' },
      ];
      const lineOf = ({
        email,
        tags = '',
        company = '',
      }: {
        email: string;
        tags?: string;
        company?: string;
      }) => `${email},${tags},${company}`;
      const text =
        type === linesType
          ? sent.map((one) => JSON.stringify(one)).join('\n')
          : ['Email,Tags,Company', ...sent.map(lineOf)].join('\n');
      const results = [];
      for (const dry_run of [true, false]) {
        const options = { type, dry_run, duplicates: 'update', tags: 'Spring' } as const;
        const { id, created, updated, failed } = await done(anna, text, options);
        results.push({ created, updated, failed, errors: await errorsOf(anna, id) });
      }
      expect(results[0]).toMatchObject({ created: 1_001, updated: 6, failed: 2 });
      expect(results[0]).toEqual(results[1]);
    },
  );

  it('for addresses that the contact has no room for is refused in a dry run as well', async () => {
    const anna = await person();
    const addresses = Array.from({ length: 49 }, (_, n) => ({
      city: `City ${n}`,
      ...(n === 1 && { type: 'Home' as const }),
    }));
    await contacts.as(anna).contacts.create({ email: 'full@example.com', addresses });
    // The first one has the type of the second one of the contact, so that there is none for the second one.
    const sent = {
      email: 'full@example.com',
      addresses: [{ type: 'Home', city: 'Boston' }, { city: 'Salem' }],
    };
    const text = [sent, { ...sent, addresses: sent.addresses.slice(0, 1) }, sent]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const results = [];
    for (const dry_run of [true, false]) {
      const options = { type: linesType, dry_run, duplicates: 'update' } as const;
      const { id, updated, failed } = await done(anna, text, options);
      results.push({ updated, failed, errors: await errorsOf(anna, id) });
    }
    expect(results[0]).toMatchObject({ updated: 2, failed: 1 });
    expect(results[0]).toEqual(results[1]);
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

  it.each(['skip', 'update'] as const)(
    'for a reference in a line of JSON is refused in a dry run as well: %s',
    async (duplicates) => {
      const [anna, former] = [await person(), await person()];
      for (const email of ['known@example.com', 'kept@example.com'])
        await contacts.as(anna).contacts.create({ email });
      await rows("update contacts set assigned_user_id = $1 where email = 'kept@example.com'", [former.id]);
      const wrong = [
        { hotness_id: 999_999 },
        { assigned_user_id: 999_999 },
        { custom_fields: [{ id: 999_999, value: 'x' }] },
        { source_id: 999_999 },
      ];
      const lines = [
        ...[...wrong, {}].map((one, n) => ({ first_name: `Anna ${n}`, ...one })),
        { email: 'known@example.com', ...wrong[0] },
        { email: 'kept@example.com', assigned_user_id: former.id, company: 'New Ltd' },
      ];
      const text = lines.map((one) => JSON.stringify(one)).join('\n');
      const options = { type: linesType, duplicates } as const;
      const results = [];
      for (const dry_run of [true, false]) {
        const { id, created, failed, skipped, updated } = await done(anna, text, { ...options, dry_run });
        results.push({ created, failed, skipped, updated, errors: await errorsOf(anna, id) });
      }
      const others = duplicates === 'skip' ? { failed: 4, skipped: 2 } : { failed: 5, updated: 1 };
      expect(results[0]).toMatchObject({ created: 1, ...others });
      expect(results[0]).toEqual(results[1]);
    },
  );
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

describe('a row with more cells than headers', () => {
  it('keeps them after its reason, and is refused again until somebody has corrected it', async () => {
    const anna = await person();
    let text = 'First Name,Street,City,State\nAda,12 Main St, Apt 4,Reno,NV\nBen,1 Side St,Reno,NV,,';
    for (const created of [1, 0, 0]) {
      const { id, ...counts } = await done(anna, text);
      expect(counts).toMatchObject({ status: 'Done', created, failed: 1 });
      text = await errorsOf(anna, id);
      expect(text.split('\n')[1]).toMatch(
        /^Ada,12 Main St,Apt 4,Reno,2,"?has \d cells under \d headers.*,NV$/,
      );
    }
    const corrected = text
      .replace('12 Main St,Apt 4,Reno', '"12 Main St, Apt 4",Reno,NV')
      .replace(/,NV$/m, '');
    expect(await done(anna, corrected)).toMatchObject({ created: 1, failed: 0 });
    expect((await contacts.ofUser(anna)).at(-1)?.addresses).toMatchObject([
      { street_address_1: '12 Main St, Apt 4', city: 'Reno', state: 'NV' },
    ]);
  });
});

describe('an import by an account that may no longer add contacts', () => {
  it.each(['text/csv', linesType] as const)('refuses to add them in a dry run as well: %s', async (type) => {
    const anna = await person();
    const texts =
      type === linesType
        ? ['{"email":"known@example.com"}', '{"email":"new@example.com"}']
        : ['Email\nknown@example.com', 'Email\nnew@example.com'];
    await contacts.as(anna).contacts.create({ email: 'known@example.com' });
    const ids = [];
    for (const text of texts)
      for (const dry_run of [true, false])
        ids.push(await contacts.send(anna, text, { type, dry_run, duplicates: 'update' }));
    await underBroker(anna, { is_contact_ownership_new_enabled: false });
    await contacts.run();
    const renewed = await contacts.renewed(anna.id);
    const results = await Promise.all(
      ids.map(async (id) => {
        const { status, error, created, updated } = await contacts.as(renewed).imports.get({ id });
        return { status, error, created, updated };
      }),
    );
    const refused = { status: 'Failed', error: expect.any(String), created: 0, updated: 0 };
    expect(results).toMatchObject([...Array(2).fill({ status: 'Done', updated: 1 }), refused, refused]);
    expect(results[0]).toEqual(results[1]);
    expect(results[2]).toEqual(results[3]);
  });
});

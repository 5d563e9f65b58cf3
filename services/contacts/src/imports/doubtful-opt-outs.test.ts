import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser, errorsOf } = contacts;

const john = {
  first_name: 'John',
  last_name: 'Smith',
  email: 'smiths@x.example',
  mobile_phone: '6045554572',
};
const mary = { ...john, first_name: 'Mary', mobile_phone: '6045554573' };

async function personWith(...drafts: readonly object[]) {
  const anna = await person();
  for (const draft of drafts) await contacts.as(anna).contacts.create(draft);
  return anna;
}

/** What each contact gets no more, in the order of their ids. */
async function optedOut(user: User) {
  const consents = (await ofUser(user)).map(({ id }) => contacts.as(user).consents.get({ id }));
  return (await Promise.all(consents)).map(({ text_state, email_state }) => [
    ...(text_state === 'Allowed' ? [] : ['Text']),
    ...(email_state === 'Allowed' ? [] : ['Email']),
  ]);
}
const published = async () =>
  (await contacts.published()).filter(({ type }) => type === 'crm.contacts.consent.changed');
const both = ['Text', 'Email'];

describe('an opt-out from texts and e-mails', () => {
  it('by an address alone holds for both of a couple, who have it', async () => {
    const anna = await personWith(john, mary);
    expect(await done(anna, 'Email,Do Not Contact\nsmiths@x.example,yes')).toMatchObject({ updated: 1 });
    expect(await optedOut(anna)).toEqual([both, both]);
  });

  it.each(['skip', 'update'] as const)(
    'holds for each of two contacts of one person: %s',
    async (duplicates) => {
      const [anna, ben] = [
        await personWith(john, { ...john, mobile_phone: '6045554573' }),
        await personWith(john, { ...john, email: 'john@x.example' }),
      ];
      const byEmail = 'First Name,Last Name,Email,Do Not Contact\nJohn,Smith,smiths@x.example,yes';
      expect(await done(anna, byEmail, { duplicates })).toMatchObject({ updated: 1, failed: 0 });
      expect(await optedOut(anna)).toEqual([both, both]);
      const byPhone = 'First Name,Last Name,Cell,Do Not Contact\nJohn,Smith,604 555 4572,yes';
      expect(await done(ben, byPhone, { duplicates })).toMatchObject({ updated: 1, failed: 0 });
      expect(await optedOut(ben)).toEqual([both, both]);
    },
  );

  it('does not hold for somebody with another name, except for the address that both have', async () => {
    const anna = await personWith(john, mary);
    const text = 'First Name,Email,Do Not Contact\nMary,smiths@x.example,yes';
    expect(await done(anna, text)).toMatchObject({ updated: 1 });
    expect(await optedOut(anna)).toEqual([['Email'], both]);
  });

  it('is stored once for each contact with a placeholder, however many rows have it', async () => {
    const same = Array.from({ length: 5 }, (_, n) => ({
      email: 'no@x.example',
      mobile_phone: `604555457${n}`,
    }));
    const anna = await personWith(...same);
    const text = ['Email,Do Not Contact', ...Array.from({ length: 4 }, () => 'no@x.example,yes')].join('\n');
    expect(await done(anna, text)).toMatchObject({ updated: 4 });
    expect(await optedOut(anna)).toEqual(same.map(() => both));
    const changes = (await published()).filter(({ actor }) => actor === `user/${anna.id}`);
    expect(changes).toHaveLength(4 + 4);
  });
});

it('an opt-out by a placeholder of more than a thousand contacts holds for its address, with a warning', async () => {
  const anna = await person();
  const others = Array.from({ length: 1_002 }, (_, n) => `Anna ${n},no@x.example,604555${1_000 + n}`);
  await done(anna, ['First Name,Email,Cell', ...others].join('\n'), { duplicates: 'create' });
  const one = await done(anna, 'Email,Do Not Contact\nno@x.example,yes');
  expect(one).toMatchObject({ updated: 1, warned: 1, failed: 0 });
  const { text } = await contacts.as(anna).imports.warnings({ id: one.id });
  expect(text).toContain('these are more than 1000');
  const ids = (await ofUser(anna)).map(({ id }) => id);
  const consents = await contacts.as(anna).consents.optedOut({ contact_ids: ids });
  expect(consents.filter(({ opted_out }) => opted_out.includes('Email'))).toHaveLength(ids.length);
  expect(consents.filter(({ opted_out }) => opted_out.includes('Text'))).toHaveLength(1);
});

describe('an update that is refused', () => {
  const refused = { updated: 0, failed: 1 };

  it.each([
    ['has another name and phone', 'Bob,Smith,smiths@x.example,6045554579,yes', [['Email'], ['Text']]],
    ['could be about several people', ',,smiths@x.example,,yes', [['Email'], []]],
  ])('because its row %s opts out the number and the address of its row', async (_why, row, expected) => {
    const anna = await personWith(john, { first_name: 'Cy', mobile_phone: '604 555 4579' });
    if (row.startsWith(',')) await contacts.as(anna).contacts.create(mary);
    const text = `First Name,Last Name,Email,Cell,Unsubscribed from all\n${row}`;
    const options = { duplicates: 'update', mapping: { 'Unsubscribed from all': 'opt_out' } } as const;
    expect(await done(anna, text, { ...options, dry_run: true })).toMatchObject(refused);
    expect((await optedOut(anna)).flat()).toEqual([]);
    const { id, ...outcome } = await done(anna, text, options);
    expect(outcome).toMatchObject(refused);
    expect(await errorsOf(anna, id)).toContain(
      'its phone numbers and e-mail addresses are opted out nevertheless',
    );
    expect((await optedOut(anna)).slice(0, 2)).toEqual(expected);
  });

  it('is published with the contacts that have them', async () => {
    const anna = await personWith(john, { first_name: 'Cy', mobile_phone: '604 555 4579' });
    const ids = (await ofUser(anna)).map(({ id }) => id);
    const text = 'First Name,Email,Cell,Do Not Contact\nBob,smiths@x.example,6045554579,yes';
    await done(anna, text, { duplicates: 'update' });
    expect((await published()).at(-1)?.data.contact_ids).toEqual(ids);
  });

  it('says nothing about opt-outs that its row does not have', async () => {
    const anna = await personWith(john);
    const text = 'First Name,Email,Cell,Text Opt Out\nBob,smiths@x.example,6045554579,';
    const { id } = await done(anna, text, { duplicates: 'update' });
    expect(await errorsOf(anna, id)).not.toContain('opted out');
  });
});

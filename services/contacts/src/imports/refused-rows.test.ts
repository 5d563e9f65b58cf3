import type { User } from '@crm/auth';
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
});

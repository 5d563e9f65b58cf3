import { afterAll, describe, expect, it } from 'vitest';
import { officesIn } from '../../test/office.ts';
import { contactsWithIdentity } from '../../test/with-identity.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { assignments } = contacts.asSystem;
const { rows } = contacts;
const office = officesIn(contacts);

const disable = ({ id: user }: { readonly id: number }) => contacts.identity.asSystem.users.disable({ user });
const assigneesOf = async ({ id }: { readonly id: number }) =>
  (await rows('select assigned_user_id from contacts where owner_user_id = $1 order by id', [id])).map(
    ({ assigned_user_id }) => assigned_user_id,
  );

/** A user with contacts of nobody, of the user, of a colleague and of a successor. */
async function leaver() {
  const { lee, ben: mia, acting, end } = await office();
  const ben = await contacts.person();
  const { create } = contacts.as(lee).contacts;
  for (const assigned_user_id of [null, lee.id, mia.id]) await create({ assigned_user_id });
  const { id } = await create({});
  await rows('update contacts set assigned_user_id = $2 where id = $1', [id, ben.id]);
  return { lee, mia, ben, acting, end, pair: { from_user_id: lee.id, to_user_id: ben.id } };
}

describe('the contacts of a user who has left', () => {
  it('are assigned to another user, who sees them, without those of somebody else', async () => {
    const { lee, mia, ben, pair } = await leaver();
    await disable(lee);
    const expected = { count: 2, left: 1, next: null };
    expect(await assignments.count(pair)).toEqual(expected);
    const { length } = await contacts.published();
    expect(await assignments.assign(pair)).toEqual(expected);
    expect(await assigneesOf(lee)).toEqual([ben.id, ben.id, mia.id, ben.id]);
    expect((await contacts.as(await contacts.now(ben)).contacts.find({})).total).toBe(3);
    const events = (await contacts.published()).slice(length);
    expect(events).toMatchObject(
      [1, 2].map(() => ({
        type: 'crm.contacts.contact.changed',
        actor: 'system',
        data: { owner_user_id: lee.id, assigned_user_id: ben.id, fields: ['assigned_user_id'] },
      })),
    );
    const audited = await rows("select record_id from audit_events where action = 'assignments.assign'");
    expect(audited).toHaveLength(2);
  });

  it('are assigned once, however often it is repeated', async () => {
    const { pair } = await leaver();
    await assignments.assign(pair);
    const { length } = await contacts.published();
    expect(await assignments.assign(pair)).toEqual({ count: 0, left: 1, next: null });
    expect(await assignments.count(pair)).toEqual({ count: 0, left: 1, next: null });
    expect((await contacts.published()).length).toBe(length);
  });

  it('are all assigned if the operator says so', async () => {
    const { lee, ben, pair } = await leaver();
    expect(await assignments.assign({ ...pair, all: true })).toEqual({ count: 3, left: 0, next: null });
    expect(await assigneesOf(lee)).toEqual([ben.id, ben.id, ben.id, ben.id]);
  });

  it('are assigned in portions, each after the last contact of the previous one', async () => {
    const { lee, ben, pair } = await leaver();
    await rows(
      `insert into contacts (version, owner_user_id, created_at, modified_at)
       select 1, $1::int, now(), now() from generate_series(1, 996)`,
      [lee.id],
    );
    const first = await assignments.assign(pair);
    expect(first).toMatchObject({ count: 498, left: 1 });
    const second = await assignments.assign({ ...pair, after: first.next ?? 0 });
    expect(second).toMatchObject({ count: 500, left: 0 });
    expect(await assignments.assign({ ...pair, after: second.next ?? 0 })).toEqual({
      count: 0,
      left: 0,
      next: null,
    });
    expect((await assigneesOf(lee)).filter((id) => id === ben.id)).toHaveLength(999);
  });

  it('stay with the user when a delegation ends under which the same had been done', async () => {
    const { lee, mia, acting, end } = await leaver();
    const { id } = await contacts.as(lee).contacts.create({});
    await contacts.as(acting).contacts.patch({ id, assigned_user_id: mia.id });
    await assignments.assign({ from_user_id: lee.id, to_user_id: mia.id });
    await end();
    expect((await contacts.as(lee).contacts.get({ id })).assigned_user_id).toBe(mia.id);
  });

  it('are refused to a user who is unknown, disabled or the same', async () => {
    const { lee, mia, pair } = await leaver();
    const before = await assigneesOf(lee);
    await disable(mia);
    for (const to_user_id of [999_999, mia.id, lee.id])
      for (const ask of [assignments.assign, assignments.count])
        await expect(ask({ ...pair, to_user_id })).rejects.toMatchObject({
          name: 'BadRequest',
          errors: { to_user_id: expect.stringMatching(/^must be /) },
        });
    expect(await assigneesOf(lee)).toEqual(before);
  });

  it('are known to be seen by nobody else until they are assigned', async () => {
    const { lee, pair } = await leaver();
    expect(await assignments.isNeeded({ user_id: lee.id })).toBe(true);
    await assignments.assign(pair);
    expect(await assignments.isNeeded({ user_id: lee.id })).toBe(false);
  });
});

import type { User } from '@crm/auth';
import { someone, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { officesIn } from '../../test/office.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const office = officesIn(contacts);

const assigneeOf = async (user: User, id: number) =>
  (await contacts.as(user).contacts.get({ id })).assigned_user_id;
const created = (user: User, draft = {}) =>
  contacts.as(user).contacts.create({ first_name: 'Bill', ...draft });

const share = (user: User, contact_id: number, { id: user_id }: User) =>
  contacts.as(user).shares.create({ contact_id, user_id });
const assign = (user: User, id: number, assignee: User) =>
  contacts.as(user).contacts.patch({ id, assigned_user_id: assignee.id });

describe('a broker who acts as a user', () => {
  it('shares and assigns only among the user and the teammates, and not to the broker', async () => {
    const { kim, lee, acting, ben } = office();
    const { id: contact_id } = await created(lee);
    const { shares, contacts: api } = contacts.as(acting);
    for (const user_id of [kim.id, someone().id, 999_999]) {
      for (const ask of [
        () => shares.create({ contact_id, user_id }),
        () => api.patch({ id: contact_id, assigned_user_id: user_id }),
        () => created(acting, { assigned_user_id: user_id }),
      ]) {
        await expect(ask()).rejects.toMatchObject({
          name: 'Forbidden',
          message: expect.stringContaining("only the user and the user's teammates"),
        });
      }
    }
    expect(await shares.create({ contact_id, user_id: ben.id })).toMatchObject({ user_id: ben.id });
    expect(await api.patch({ id: contact_id, assigned_user_id: ben.id })).toMatchObject({
      assigned_user_id: ben.id,
    });
    expect(await contacts.as(lee).shares.create({ contact_id, user_id: kim.id })).toMatchObject({
      user_id: kim.id,
    });
  });

  it('leaves no share and no assignment when the delegation ends', async () => {
    const { kim, lee, acting, ben, end } = office();
    const [assigned, given, own] = [
      await created(lee, { assigned_user_id: lee.id }),
      await created(lee),
      await created(lee),
    ];
    const made = await created(acting, { assigned_user_id: ben.id });
    await contacts.as(acting).contacts.patch({ id: assigned.id, assigned_user_id: ben.id });
    await contacts.as(acting).contacts.patch({ id: assigned.id, assigned_user_id: null });
    await contacts.as(acting).shares.create({ contact_id: given.id, user_id: ben.id });
    await contacts.as(lee).shares.create({ contact_id: given.id, user_id: kim.id });
    await contacts.as(acting).contacts.patch({ id: own.id, assigned_user_id: ben.id });
    await contacts.as(lee).contacts.patch({ id: own.id, assigned_user_id: kim.id });
    const before = (await contacts.published()).length;
    await end();
    expect(await assigneeOf(lee, assigned.id)).toBe(lee.id);
    expect(await assigneeOf(lee, made.id)).toBeNull();
    expect(await assigneeOf(lee, own.id)).toBe(kim.id);
    const { data } = await contacts.as(lee).shares.find({ contact_id: given.id });
    expect(data.map(({ user_id }) => user_id)).toEqual([kim.id]);
    await expect(contacts.as(ben).contacts.get({ id: given.id })).rejects.toMatchObject({ name: 'NotFound' });
    const changes = (await contacts.published()).slice(before).map(({ data }) => data);
    expect(changes).toMatchObject([
      { contact_id: assigned.id, fields: ['assigned_user_id'] },
      { contact_id: given.id, fields: ['shares'] },
      { contact_id: made.id, fields: ['assigned_user_id'] },
    ]);
    await end();
    expect((await contacts.published()).length).toBe(before + 3);
  });

  it('leaves no share and no assignment of rows that were imported, and imports none afterwards', async () => {
    const { acting, ben, end } = office();
    const rows = [
      { key: 'assigned', contact: { assigned_user_id: ben.id }, shared_with: [] },
      { key: 'shared', contact: {}, shared_with: [ben.id] },
    ];
    const { importedRows } = contacts.as(acting);
    await importedRows.add({ rows });
    expect((await contacts.as(ben).contacts.find({})).total).toBe(2);
    await end();
    expect((await contacts.as(ben).contacts.find({})).total).toBe(0);
    for (const row of rows)
      await expect(importedRows.add({ rows: [{ ...row, key: `late ${row.key}` }] })).rejects.toMatchObject({
        name: 'NotAuthenticated',
      });
  });

  /** A contact that the broker of its owner has assigned, then that of its assignee, and then perhaps the first again. */
  async function assignedInTurn(times: 2 | 3) {
    const [of, ofBen] = [office(), office()];
    const ben: User = { ...ofBen.lee, act: null };
    const lee: User = { ...of.lee, teammate_ids: [ben.id, ofBen.ben.id] };
    const { id } = await created(lee);
    await assign({ ...lee, act: of.acting.act }, id, ben);
    await assign(ofBen.acting, id, ofBen.ben);
    if (times === 3) await assign({ ...lee, act: of.acting.act }, id, lee);
    return { of, ofBen, lee, ben, id, assignee: () => assigneeOf(lee, id) };
  }

  it('leaves what the broker of somebody else has assigned before, until that delegation ends as well', async () => {
    const { of, ofBen, ben, assignee } = await assignedInTurn(2);
    await ofBen.end();
    expect(await assignee()).toBe(ben.id);
    await of.end();
    expect(await assignee()).toBeNull();
  });

  it('leaves what the broker of somebody else has assigned after it, and nothing when both have ended', async () => {
    const { of, ofBen, assignee } = await assignedInTurn(2);
    await of.end();
    expect(await assignee()).toBe(ofBen.ben.id);
    await ofBen.end();
    expect(await assignee()).toBeNull();
  });

  it('undoes all that a broker has assigned, also between and around what another has', async () => {
    const first = await assignedInTurn(3);
    await first.of.end();
    expect(await first.assignee()).toBe(first.ofBen.ben.id);
    await first.ofBen.end();
    expect(await first.assignee()).toBeNull();
    const second = await assignedInTurn(3);
    await second.ofBen.end();
    expect(await second.assignee()).toBe(second.lee.id);
    await second.of.end();
    expect(await second.assignee()).toBeNull();
  });

  it('leaves whom the user has assigned after the brokers of two', async () => {
    const { of, ofBen, lee, ben, id, assignee } = await assignedInTurn(2);
    await assign(lee, id, ben);
    await assign(ofBen.acting, id, ofBen.ben);
    await of.end();
    expect(await assignee()).toBe(ofBen.ben.id);
    await ofBen.end();
    expect(await assignee()).toBe(ben.id);
  });

  it('leaves the contact of a claimed lead that the broker submitted, also if the previous release gives it', async () => {
    const { kim, lee, acting, ben, end } = office();
    const [free, assigned, late] = [await created(lee), await created(lee), await created(lee)];
    await contacts.as(lee).contacts.patch({ id: assigned.id, assigned_user_id: lee.id });
    const delegation_id = acting.act?.delegation_id ?? 0;
    const give = (contact_id: number, user_id: number) =>
      contacts.asSystem.shares.give({ contact_id, user_id, delegation_id });
    await give(free.id, kim.id);
    await give(assigned.id, ben.id);
    await end();
    await give(late.id, kim.id);
    for (const [user, { id }] of [
      [kim, free],
      [ben, assigned],
      [kim, late],
    ] as const)
      expect(await contacts.as(user).contacts.get({ id })).toMatchObject({ id });
  });

  it('leaves what is left of the contact of a lead that was given before, and gives nothing anew', async () => {
    const { kim, lee, acting, ben, end } = office();
    const [shared, assigned, lost] = [await created(lee), await created(lee), await created(lee)];
    await share(acting, shared.id, ben);
    await assign(acting, assigned.id, ben);
    const { length } = await contacts.published();
    for (const contact_id of [shared.id, assigned.id, lost.id])
      for (const { id: user_id } of [ben, kim])
        await contacts.asSystem.shares.give({ contact_id, user_id, is_given: true });
    await end();
    expect((await contacts.published()).length).toBe(length);
    const seen = async (user: User) => (await contacts.as(user).contacts.find({})).data.map(({ id }) => id);
    expect((await seen(ben)).sort()).toEqual([shared.id, assigned.id].sort());
    expect(await seen(kim)).toEqual([]);
  });

  it('leaves what the user has shared and assigned again, and what a claimed lead has given', async () => {
    const { lee, acting, ben, end } = office();
    const give = (contact_id: number) => contacts.asSystem.shares.give({ contact_id, user_id: ben.id });
    const ids: number[] = [];
    for (const [first, then] of [
      [share, (id: number) => share(lee, id, ben)],
      [assign, (id: number) => assign(lee, id, ben)],
      [share, (id: number) => assign(lee, id, lee).then(() => give(id))],
      [assign, give],
    ] as const) {
      const { id } = await created(lee);
      await first(acting, id, ben);
      await then(id);
      ids.push(id);
    }
    await end();
    const { data } = await contacts.as(ben).contacts.find({ $sort: { id: 1 } });
    expect(data.map(({ id }) => id)).toEqual(ids);
  });

  it('leaves nothing that is only sent back with other fields, or kept by the one who got it', async () => {
    const { lee, acting, ben, end } = office();
    const [named, echoed, kept, shared] = [
      await created(lee),
      await created(lee),
      await created(lee),
      await created(lee),
    ];
    for (const { id } of [named, echoed, kept]) await assign(acting, id, ben);
    await share(acting, shared.id, ben);
    const api = contacts.as(lee).contacts;
    await api.patch({ id: named.id, assigned_user_id: ben.id, first_name: 'Will' });
    await api.patch(await api.get({ id: echoed.id }));
    await assign(ben, kept.id, ben);
    await expect(share({ ...ben, teammate_ids: [lee.id] }, shared.id, ben)).rejects.toMatchObject({
      name: 'BadRequest',
    });
    await end();
    expect(await contacts.as(ben).contacts.find({})).toMatchObject({ data: [] });
  });

  it('shares nothing that the end of the delegation does not find: it waits for what has begun', async () => {
    const { lee, acting, ben, end } = office();
    const [first, { id: contact_id }] = [await created(lee), await created(lee)];
    await share(acting, first.id, ben);
    const holder = await contacts.database.pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query('begin');
    await holder.query('select from contacts where id = $1 for update', [contact_id]);
    const sharing = share(acting, contact_id, ben);
    await untilWaiting(contacts.rows, [sharing]);
    const ending = end();
    await untilWaiting(contacts.rows, [sharing, ending]);
    await holder.query('rollback');
    await Promise.all([sharing, ending]);
    expect(await contacts.as(lee).shares.find({ contact_id })).toMatchObject({ total: 0 });
  });

  it('shares and assigns nothing after the delegation has ended, nor leaves anything at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { lee, acting, ben, end } = office();
      const [first, second] = [await created(lee), await created(lee)];
      const share = () => contacts.as(acting).shares.create({ contact_id: first.id, user_id: ben.id });
      const assign = () => contacts.as(acting).contacts.patch({ id: second.id, assigned_user_id: ben.id });
      const asked = [share(), assign(), end(), share(), assign()];
      for (const outcome of await Promise.allSettled(asked))
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'NotAuthenticated' });
      expect(await contacts.as(lee).shares.find({ contact_id: first.id })).toMatchObject({ total: 0 });
      expect(await assigneeOf(lee, second.id)).toBeNull();
      await expect(share()).rejects.toMatchObject({ name: 'NotAuthenticated' });
      await expect(assign()).rejects.toMatchObject({ name: 'NotAuthenticated' });
      const assigned = created(acting, { assigned_user_id: ben.id });
      await expect(assigned).rejects.toMatchObject({ name: 'NotAuthenticated' });
    }
  });
});

import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { officesIn, teamed } from '../../test/office.ts';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { consistency } from '../consistency.queries.ts';
import { undoDue } from './undo-delegations.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const office = officesIn(contacts);
const { rows } = contacts;
const disabled = { is_user_disabled: true };

const created = async (user: User) => (await contacts.as(user).contacts.create({})).id;
const share = (by: User, contact_id: number, { id: user_id }: User) =>
  contacts.as(by).shares.create({ contact_id, user_id });
const assign = (by: User, id: number, user: User | null) =>
  contacts.as(by).contacts.patch({ id, assigned_user_id: user?.id ?? null });
const seenBy = async (user: User) =>
  (await contacts.as(user).contacts.find({ $sort: { id: 1 } })).data.map(({ id }) => id);
const assigneeOf = async (id: number) =>
  (await rows('select assigned_user_id as id from contacts where id = $1', [id]))[0]?.id;
const notes = () =>
  rows(
    `select delegation_id from delegated_assignments union all select delegation_id from replaced_assignments
     union all select delegation_id from repeated_shares
     union all select delegation_id from contact_shares where delegation_id is not null`,
  );

/** An agent and a colleague with a broker each, and somebody with whom both work. */
async function twoBrokers() {
  const [first, second] = [await office(), await office()];
  const ann = await contacts.person();
  const { user: lee } = await teamed(contacts, first.lee, [ann, second.lee]);
  const { user: pat } = await teamed(contacts, second.lee, [ann, lee]);
  return {
    ann,
    lee,
    pat,
    ofLee: { ...first, acting: { ...lee, act: first.acting.act } },
    ofPat: { ...second, acting: { ...pat, act: second.acting.act } },
  };
}

describe('what a broker has shared and assigned for a user', () => {
  it('stays when the delegation ends because the account of the user is disabled', async () => {
    const { lee, acting, ben, end } = await office();
    const [shared, assigned] = [await created(lee), await created(lee)];
    await share(acting, shared, ben);
    await assign(acting, assigned, ben);
    const { length } = await contacts.published();
    for (let time = 0; time < 2; time++) await end(disabled);
    expect(await seenBy(ben)).toEqual([shared, assigned]);
    expect((await contacts.published()).length).toBe(length);
    expect(await notes()).toEqual([]);
    await expect(share(acting, assigned, ben)).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it('stays after the end of the delegation of somebody else, which repeats it', async () => {
    const { ann, pat, lee, ofLee, ofPat } = await twoBrokers();
    for (const order of ['first', 'second']) {
      const id = await created(lee);
      await assign(lee, id, pat);
      const [one, other] = order === 'first' ? [ofLee, ofPat] : [ofPat, ofLee];
      await share(one.acting, id, ann);
      await share(other.acting, id, ann);
    }
    const ids = await seenBy(ann);
    expect(ids).toHaveLength(2);
    await ofLee.end(disabled);
    await ofPat.end();
    expect(await seenBy(ann)).toEqual(ids);
    expect(await notes()).toEqual([]);
  });

  it('gets back whom the kept delegation has assigned when a later one is undone', async () => {
    const { ann, lee, pat, ofLee, ofPat } = await twoBrokers();
    const id = await created(lee);
    await assign(ofLee.acting, id, pat);
    await assign(ofPat.acting, id, ann);
    await ofLee.end(disabled);
    expect(await assigneeOf(id)).toBe(ann.id);
    await ofPat.end();
    expect(await assigneeOf(id)).toBe(pat.id);
  });

  it('stays with whom a kept delegation has assigned last, whatever ends before', async () => {
    const { ann, lee, pat, ofLee, ofPat } = await twoBrokers();
    const id = await created(lee);
    await assign(ofLee.acting, id, pat);
    await assign(ofPat.acting, id, ann);
    await ofPat.end(disabled);
    await ofLee.end();
    expect(await assigneeOf(id)).toBe(ann.id);
    expect(await notes()).toEqual([]);
  });

  it('is kept by a repair if no worker has kept it', async () => {
    const rule = consistency.rules.find(({ what }) => what.startsWith('ended delegations'));
    const wrong = () => rows(rule?.wrong ?? '');
    const { lee, acting, ben, announceEnd } = await office();
    const id = await created(lee);
    await assign(acting, id, ben);
    await announceEnd(disabled);
    await rows('update delegations set undo_due_at = null');
    expect(await wrong()).toEqual([{ id: acting.act?.delegation_id }]);
    await rows(`with wrong as (${rule?.wrong}) ${rule?.repair}`);
    await undoDue(contacts.workerContext, new AbortController().signal);
    expect([await wrong(), await seenBy(ben)]).toEqual([[], [id]]);
  });
});

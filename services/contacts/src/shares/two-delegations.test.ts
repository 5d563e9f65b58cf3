import type { User } from '@crm/auth';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { officesIn } from '../../test/office.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const office = officesIn(contacts);

type Office = ReturnType<typeof office>;
type Way = (by: User, contact_id: number, user: User) => Promise<unknown>;

const share: Way = (by, contact_id, { id: user_id }) =>
  contacts.as(by).shares.create({ contact_id, user_id });
const assign: Way = (by, id, { id: assigned_user_id }) =>
  contacts.as(by).contacts.patch({ id, assigned_user_id });

/** A contact of an agent with a broker, who has a teammate with another broker, and somebody whom both work with. */
async function twoBrokers(draft = {}) {
  const [first, second] = [office(), office()];
  const ann = someone();
  const lee: User = { ...first.lee, teammate_ids: [ann.id, second.lee.id] };
  const pat: User = { ...second.lee, teammate_ids: [ann.id, lee.id], sharing_teammate_ids: [lee.id] };
  const { id } = await contacts.as(lee).contacts.create(draft);
  const seen = async () => (await contacts.as(ann).contacts.find({ $limit: 0 })).total === 1;
  return {
    id,
    ann,
    lee,
    pat,
    seen,
    sharesOf: async () => (await contacts.as(lee).shares.find({ contact_id: id })).data,
    ofLee: { ...first, acting: { ...lee, act: first.acting.act } },
    ofPat: { ...second, acting: { ...pat, act: second.acting.act } },
  };
}

describe('a contact that two delegations have shared with the same user', () => {
  const orders: [string, (ofLee: Office, ofPat: Office) => readonly [Office, Office]][] = [
    ['the first', (ofLee, ofPat) => [ofLee, ofPat]],
    ['the second', (ofLee, ofPat) => [ofPat, ofLee]],
  ];

  it.each(orders)('stays shared until both have ended, when %s ends before the other', async (_, order) => {
    const { id, ann, seen, ofLee, ofPat } = await twoBrokers();
    await share(ofLee.acting, id, ann);
    for (let time = 0; time < 2; time++) await share(ofPat.acting, id, ann);
    const [before, after] = order(ofLee, ofPat);
    await before.end();
    expect(await seen()).toBe(true);
    await after.end();
    expect(await seen()).toBe(false);
  });

  it('is then shared by the user whose broker still shares it, who may end that', async () => {
    const { id, ann, pat, lee, sharesOf, ofLee, ofPat } = await twoBrokers();
    await share(ofLee.acting, id, ann);
    await share(ofPat.acting, id, ann);
    const before = await sharesOf();
    expect(before).toMatchObject([{ shared_by_user_id: lee.id }]);
    await ofLee.end();
    const shares = before.map((one) => ({ ...one, shared_by_user_id: pat.id }));
    expect(await sharesOf()).toEqual(shares);
    await contacts.as(pat).shares.remove({ contact_id: id, id: shares[0]?.id ?? 0 });
    await ofPat.end();
    expect(await sharesOf()).toEqual([]);
  });

  it('tells of a change when the last of them ends, and not before', async () => {
    const { id, ann, ofLee, ofPat } = await twoBrokers();
    await share(ofLee.acting, id, ann);
    await share(ofPat.acting, id, ann);
    const { length } = await contacts.published();
    await ofLee.end();
    expect((await contacts.published()).length).toBe(length);
    await ofPat.end();
    const changes = (await contacts.published()).slice(length).map(({ data }) => data);
    expect(changes).toMatchObject([{ contact_id: id, fields: ['shares'] }]);
  });

  it.each([
    ['before', 0],
    ['between', 1],
    ['after', 2],
  ] as const)('stays shared when it is also shared by hand %s them', async (_, at) => {
    const { id, ann, lee, seen, ofLee, ofPat } = await twoBrokers();
    for (const by of [ofLee.acting, ofPat.acting].toSpliced(at, 0, lee)) await share(by, id, ann);
    await ofLee.end();
    await ofPat.end();
    expect(await seen()).toBe(true);
  });

  it('is shared with nobody any longer by a delegation that an earlier release has undone', async () => {
    const { id, ann, seen, ofLee, ofPat } = await twoBrokers();
    await share(ofLee.acting, id, ann);
    await share(ofPat.acting, id, ann);
    await contacts.rows(
      'insert into delegations (id, ended_at) values ($1, now()) on conflict (id) do update set ended_at = now()',
      [ofPat.acting.act?.delegation_id],
    );
    await ofLee.end();
    expect(await seen()).toBe(false);
  });
});

describe('a contact that two delegations have assigned to the same user', () => {
  it('stays assigned until both have ended', async () => {
    for (const first of [0, 1]) {
      const { id, ann, lee, seen, ofLee } = await twoBrokers();
      // The user has another broker before what the first has done is undone.
      const next = office();
      const acting = { ...lee, act: next.acting.act };
      await assign(ofLee.acting, id, ann);
      await assign(acting, id, ann);
      const { length } = await contacts.published();
      const ends = [ofLee.end, next.end];
      await ends[first]?.();
      expect(await seen()).toBe(true);
      expect((await contacts.published()).length).toBe(length);
      await ends[1 - first]?.();
      expect(await seen()).toBe(false);
    }
  });

  it('stays assigned when the user had done it without a broker', async () => {
    const { id, ann, lee, seen, ofLee } = await twoBrokers();
    await assign(lee, id, ann);
    await assign(ofLee.acting, id, ann);
    const { length } = await contacts.published();
    await ofLee.end();
    expect(await seen()).toBe(true);
    expect((await contacts.published()).length).toBe(length);
  });
});

import { domainToASCII } from 'node:url';
import { planNodes, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { consistency } from '../consistency.queries.ts';
import { optOutSourceOf } from '../contacts/opt-out-source.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { optOuts, contacts: asSystem } = contacts.asSystem;
const at = '2026-03-01T09:00:00.000Z';

/** Two forms of one mailbox, and never the same one twice. */
const pairs = [
  ['internationalized and encoded', 'anna@münchen.example', 'anna@xn--mnchen-3ya.example'],
  ['with another name below it', 'anna@post.MÜNCHEN.example', 'anna@post.xn--mnchen-3ya.example'],
  [
    'Greek, which ends in a small letter of its own',
    'anna@ελλάς.example',
    `anna@${domainToASCII('ελλάς.example')}`,
  ],
  ['wide', 'anna2@example.com', 'anna2@ｅxample.com'],
  ['composed and decomposed', 'josé@example.com', 'jose\u0301@example.com'],
  ['in Greek capitals', 'ΑΛΕΞΗΣ@example.com', 'αλεξης@example.com'],
  ['with a dotted capital', 'İnfo@example.com', 'info@example.com'],
  ['behind a blank', ' anna3@example.com', 'Anna3@example.com'],
] as const;

const sourceOf = async (id: number) => (await asSystem.exportForDispatch({ ids: [id] }))[0]?.email_opt_out;

describe('two forms of one mailbox', () => {
  it.each(pairs)('are opted out by one word of its reader: %s', async (_what, one, other) => {
    const api = contacts.as(someone());
    const ids = [
      (await api.contacts.create({ email: one })).id,
      (await api.contacts.create({ email: other })).id,
    ];
    await optOuts.addEmail({ email: one, at, source: 'Bounce' });
    expect(await Promise.all(ids.map(sourceOf))).toEqual(['Bounce', 'Bounce']);
    await optOuts.addEmail({ email: other, at, source: 'List-Unsubscribe' });
    expect(await Promise.all(ids.map(sourceOf))).toEqual(['List-Unsubscribe', 'List-Unsubscribe']);
    await expect(api.consents.patch({ id: ids[1] ?? 0, email_state: 'Allowed' })).rejects.toMatchObject({
      name: 'Conflict',
    });
    const [told] = (await contacts.published()).filter(({ type }) => type.includes('opt-out')).slice(-1);
    expect(told?.data.contact_ids).toEqual(expect.arrayContaining([ids[1]]));
  });

  it.each(pairs)('are opted out and allowed by one word of an agent: %s', async (_what, one, other) => {
    const api = contacts.as(someone());
    const add = async (email: string) => (await api.contacts.create({ email: `x${email.trim()}` })).id;
    const ids = [await add(one), await add(other)] as const;
    const say = (id: number, email_state: 'Allowed' | 'Opted Out') => api.consents.patch({ id, email_state });
    await say(ids[0], 'Opted Out');
    expect(await Promise.all(ids.map(sourceOf))).toEqual(['Agent', 'Agent']);
    await say(ids[1], 'Opted Out');
    await say(ids[1], 'Allowed');
    expect(await Promise.all(ids.map(sourceOf))).toEqual([null, null]);
    expect(
      await contacts.rows(consistency.rules?.find(({ what }) => what.startsWith('opt-outs by'))?.wrong ?? ''),
    ).toEqual([]);
  });

  it.each(pairs)('take the word of an agent along to another address: %s', async (_what, one, other) => {
    const api = contacts.as(someone());
    const add = async (email: string) => (await api.contacts.create({ email: `y${email.trim()}` })).id;
    const ids = [await add(one), await add(other), await add(other), await add(one)] as const;
    const move = (id: number) => api.contacts.patch({ id, email: `new${id}@example.com` });
    await api.consents.patch({ id: ids[0], email_state: 'Opted Out' });
    await move(ids[1]);
    // Both forms are kept now.
    await api.consents.patch({ id: ids[2], email_state: 'Opted Out' });
    await move(ids[3]);
    expect(await Promise.all(ids.map(sourceOf))).toEqual(ids.map(() => 'Agent'));
  });

  it.each([
    ['ΑΛΕΞΗΣ@old.example', 'αλεξης@old.example'],
    ['İnfo@old.example', 'i\u0307nfo@old.example'],
  ])('are found as the release before has stored them: %s', async (email, stored) => {
    await contacts.rows("insert into opt_outs (destination, since, source) values ($1, $2, 'Bounce')", [
      stored,
      at,
    ]);
    const { id } = await contacts.as(someone()).contacts.create({ email });
    expect(await sourceOf(id)).toBe('Bounce');
  });

  it('are compared by an index of opt-outs', async () => {
    const nodes = await planNodes(
      contacts.rows,
      `select id, ${optOutSourceOf('Email')} from contacts where id = any($1::int[])`,
    );
    const conditions = nodes
      .map((node) => String(node['Index Cond']))
      .filter((one) => one.includes('mailbox_of'));
    expect(conditions).toHaveLength(2);
  });
});

describe('the mailbox of an address', () => {
  const mailboxOf = async (address: string) =>
    (await contacts.rows('select mailbox_of($1) as mailbox', [address]))[0]?.mailbox;

  it.each([
    'bücher.example',
    'пример.испытание',
    '例え.テスト',
    'ελλάς.gr',
    'straße.example',
    '👍🏽.example',
    'mañana.example',
    'ليهمابتكلموشعربي.example',
    'EXAMPLE.com',
    'a。b.example',
    'xn--MNCHEN-3ya.example',
    'Ｆｕｌｌ．example',
  ])('has %s as mail programs send it', async (domain) => {
    expect(await mailboxOf(`Anna@${domain}`)).toBe(`anna@${domainToASCII(domain)}`);
  });

  it('is what it is without a domain, and however long it is', async () => {
    expect(await mailboxOf('')).toBe('');
    expect(await mailboxOf('Ä')).toBe('ä');
    expect(await mailboxOf('+16045554572')).toBe('+16045554572');
    const rare = Array.from({ length: 40 }, (_, n) => String.fromCodePoint(0x4e00 + 211 * n)).join('');
    for (const long of ['ü'.repeat(300), rare]) expect(await mailboxOf(`a@${long}`)).toBe(`a@${long}`);
    expect(await mailboxOf(`${'İ'.repeat(240)}@a`)).toBe(`${'i'.repeat(240)}@a`);
  });
});

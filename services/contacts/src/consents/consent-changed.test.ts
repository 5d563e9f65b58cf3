import { planNodes, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { idsWithSameRecipients } from './consent.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

let numbers = 0;
const facts = () => {
  numbers += 1;
  return { mobile_phone: `+1604555${numbers + 5000}`, email: `Bill${numbers}@Example.com` };
};

/** The contacts in each event that work has published about consents, with the version of the contact that it is about. */
async function announced(work: () => Promise<unknown>) {
  const before = (await contacts.published()).length;
  await work();
  const events = (await contacts.published()).slice(before);
  return events
    .filter(({ type }) => type === 'crm.contacts.consent.changed')
    .map(({ aggregateversion: version, data }) => ({ version, ids: data.contact_ids }));
}

describe('what an agent says about a contact', () => {
  it('is published with all contacts of the owner that it holds for, and with those of nobody else', async () => {
    const api = contacts.as(someone());
    const [same, apart] = [facts(), facts()];
    const add = async (draft: object) => (await api.contacts.create(draft)).id;
    const id = await add(same);
    const others = [
      await add({ mobile_phone: same.mobile_phone.slice(2) }),
      await add({ email: same.email.toUpperCase() }),
    ];
    await add(apart);
    await contacts.as(someone()).contacts.create(same);
    const say = (state: 'Allowed' | 'Opted Out') => api.consents.patch({ id, text_state: state });
    expect(await announced(() => say('Opted Out'))).toEqual([{ version: 2, ids: [id, ...others] }]);
    expect(await announced(() => say('Allowed'))).toEqual([{ version: 3, ids: [id, ...others] }]);
    expect(await announced(() => api.consents.patch({ id }))).toEqual([]);
  });

  it.each([
    ['anna@münchen.example', 'Anna@xn--mnchen-3ya.example'],
    ['bill@xn--mnchen-3ya.example', 'BILL@MÜNCHEN.example'],
    [' cleo@example.com', 'cleo@example.com'],
  ])('is published with the contacts that have another form of the mailbox: %s', async (email, other) => {
    const api = contacts.as(someone());
    const ids = [(await api.contacts.create({ email })).id, (await api.contacts.create({ email: other })).id];
    const say = () => api.consents.patch({ id: ids[0] ?? 0, email_state: 'Opted Out' });
    expect(await announced(say)).toEqual([{ version: 2, ids }]);
  });

  it('by a file is published with the contacts that have another form of the address of its row', async () => {
    const api = contacts.as(someone());
    const { id } = await api.contacts.create(facts());
    const other = (await api.contacts.create({ email: 'Dora@xn--mnchen-3ya.example' })).id;
    const email = 'dora@münchen.example';
    const optOut = () => api.consents.optOut({ id, channels: ['Email'], email });
    expect(await announced(optOut)).toEqual([{ version: 2, ids: [id, other] }]);
    const contact = { ...facts(), email };
    const rows = [{ key: 'forms', contact, shared_with: [], opt_outs: ['Email' as const] }];
    expect(await announced(() => api.importedRows.add({ rows }))).toEqual([{ version: 2, ids: [other] }]);
  });

  it('is published also of a contact without a number and an address', async () => {
    const api = contacts.as(someone());
    const { id } = await api.contacts.create({ first_name: 'Bill' });
    expect(await announced(() => api.consents.patch({ id, email_state: 'Opted Out' }))).toEqual([
      { version: 2, ids: [id] },
    ]);
  });

  it('by a file is published with the contacts that have the number or the address of its row', async () => {
    const api = contacts.as(someone());
    const { id } = await api.contacts.create(facts());
    const row = facts();
    const others = [
      (await api.contacts.create({ mobile_phone: row.mobile_phone })).id,
      (await api.contacts.create({ email: row.email })).id,
    ];
    const optOut = () => api.consents.optOut({ id, channels: ['Text', 'Email'], ...row });
    expect(await announced(optOut)).toEqual([{ version: 2, ids: [id, ...others] }]);
  });

  it('of a contact that a file adds is published with those that exist already', async () => {
    const api = contacts.as(someone());
    const row = facts();
    const { id } = await api.contacts.create({ email: row.email });
    const rows = [
      { key: 'a', contact: row, shared_with: [], opt_outs: ['Text' as const, 'Email' as const] },
      { key: 'b', contact: facts(), shared_with: [], opt_outs: ['Email' as const] },
    ];
    expect(await announced(() => api.importedRows.add({ rows }))).toEqual([{ version: 2, ids: [id] }]);
  });

  it('finds the others by indexes', async () => {
    let text = '';
    await idsWithSameRecipients(
      async (statement) => {
        text = statement;
        return [];
      },
      [],
      0,
      [],
    );
    const nodes = await planNodes(contacts.rows, text);
    const indexes = nodes.map((node) => node['Index Name']).filter((name) => name !== undefined);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(indexes.length).toBeGreaterThanOrEqual(3);
  });
});

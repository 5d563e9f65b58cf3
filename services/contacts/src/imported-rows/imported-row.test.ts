import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { forgetImportedRows } from './imported-row.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const row = (key: string, contact: object = {}, shared_with: number[] = []) => ({
  key,
  contact,
  shared_with,
});

describe('imported rows', () => {
  it('become the contacts and events that single requests make of them', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const api = contacts.as(anna);
    const field = await api.customFields.create({ name: 'Pet', data_type: 'Text' });
    const hotness = await api.hotnesses.create({ name: 'Warm' });
    const draft = {
      first_name: 'Cy',
      mobile_phone: '(604) 555-4572',
      tags: 'Buyer,  VIP ',
      hotness_id: hotness.id,
      assigned_user_id: ben.id,
      created_at: '2017-07-08T11:11:11.000Z',
      addresses: [{ city: 'Burnaby' }, { city: 'Surrey' }],
      custom_fields: [
        { id: field.id, value: 'Cat' },
        { id: field.id, value: 'Dog' },
      ],
    };
    const single = await api.contacts.create(draft);
    await api.shares.create({ contact_id: single.id, user_id: ben.id });
    const singleEvents = await eventsOf(single.id);
    const [first, second] = await api.importedRows.add({
      rows: [row('a', draft, [ben.id]), row('b', draft)],
    });
    expect([first, second]).toMatchObject([{ is_new: true }, { is_new: true }]);
    const imported = await api.contacts.get({ id: Number(first?.id) });
    expect(comparable(imported)).toEqual(comparable(await api.contacts.get({ id: single.id })));
    expect(await eventsOf(imported.id)).toEqual(singleEvents);
    expect(await api.contacts.find({ mobile_phone: '+16045554572' })).toMatchObject({ total: 3 });
    const contact_ids = [single.id, imported.id, Number(second?.id)];
    expect(await contacts.as(ben).shares.ofContacts({ contact_ids })).toEqual([
      { contact_id: single.id, user_id: ben.id },
      { contact_id: imported.id, user_id: ben.id },
    ]);
    expect(await contacts.as(someone()).shares.ofContacts({ contact_ids })).toEqual([]);
  });

  it('are opted out as single requests do it, in the transaction that adds them', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const api = contacts.as(anna);
    const facts = { email: 'Out@Example.com', mobile_phone: '(604) 555-4590' };
    const single = await api.contacts.create(facts);
    await api.shares.create({ contact_id: single.id, user_id: ben.id });
    await api.consents.patch({ id: single.id, text_state: 'Opted Out', email_state: 'Opted Out' });
    await contacts.rows('delete from agent_opt_outs');
    const opt_outs = ['Email', 'Text', 'Email'] as const;
    await expect(
      api.importedRows.add({ rows: [{ ...row('a', facts), opt_outs: [...opt_outs] }] }),
    ).rejects.toMatchObject({ name: 'BadRequest' });
    const rows = [{ ...row('a', facts, [ben.id]), opt_outs: opt_outs.slice(0, 2) }, row('b', facts)];
    const [first, second] = await api.importedRows.add({ rows });
    const id = Number(first?.id);
    expect(await eventsOf(id)).toEqual(await eventsOf(single.id));
    const out = {
      text_state: 'Opted Out',
      text_source: 'Agent',
      email_state: 'Opted Out',
      email_source: 'Agent',
    };
    expect(await api.consents.get({ id })).toMatchObject(out);
    // With the number and the address of the other.
    expect(await api.consents.get({ id: Number(second?.id) })).toMatchObject(out);
    const written = await contacts.rows(
      `select distinct xmin::text from (
         select xmin from contacts where id = $1 union all select xmin from agent_consents where contact_id = $1
         union all select xmin from agent_opt_outs where owner_user_id = $2) all_rows`,
      [id, anna.id],
    );
    expect(written).toHaveLength(1);
    expect(await api.importedRows.add({ rows })).toMatchObject([{ is_new: false }, { is_new: false }]);
  });

  it('become one contact per key, however often and by how many requests at once they are sent', async () => {
    const [anna, other] = [someone(), someone()];
    const rows = Array.from({ length: 20 }, (_, index) =>
      row(`k${index}`, { first_name: `${index}`, tags: 'New' }),
    );
    const sent = [rows, rows.toReversed(), [...rows, ...rows]];
    const outcomes = await Promise.all(
      sent.map((some) => contacts.as(anna).importedRows.add({ rows: some })),
    );
    const ids = new Set(outcomes.flat().map(({ id }) => id));
    expect({ ids: ids.size, isNull: ids.has(null) }).toEqual({ ids: 20, isNull: false });
    expect(await contacts.as(anna).contacts.find({})).toMatchObject({ total: 20 });
    expect(await contacts.as(anna).importedRows.add({ rows })).toMatchObject(
      rows.map(() => ({ is_new: false })),
    );
    expect(await contacts.as(other).importedRows.add({ rows })).toMatchObject(
      rows.map(() => ({ is_new: true })),
    );
  });

  it('that an earlier version has noted without a contact become one', async () => {
    const anna = someone();
    await contacts.rows('insert into imported_rows (user_id, key, created_at) values ($1, $2, now())', [
      anna.id,
      'k',
    ]);
    const add = () => contacts.as(anna).importedRows.add({ rows: [row('k')] });
    expect([...(await add()), ...(await add())]).toMatchObject([{ is_new: true }, { is_new: false }]);
  });

  it('match contacts of their owner by e-mail address in any case and by mobile phone in any notation', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const api = contacts.as(anna);
    const contact = { email: 'Cy@Example.com', mobile_phone: '(604) 555-4572', assigned_user_id: ben.id };
    const { id } = await api.contacts.create(contact);
    await api.contacts.create({ mobile_phone: 'ask', email: 'none' });
    const matches = async (emails: string[], phones: string[], user = anna) =>
      (await contacts.as(user).importedRows.matches({ emails, phones })).map((one) => one.id);
    expect(await matches(['cY@example.com'], [])).toEqual([id]);
    expect(await matches(['none'], ['+1 604-555-4572', 'ask'])).toEqual([id]);
    expect(await matches(['cy@example.co'], ['604 555 4573'])).toEqual([]);
    expect(await matches(['cy@example.com'], ['ask'], ben)).toEqual([]);
  });

  it('are added again after their contact was removed', async () => {
    const api = contacts.as(someone());
    const [before] = await api.importedRows.add({ rows: [row('k')] });
    await api.contacts.remove({ id: Number(before?.id) });
    const [after] = await api.importedRows.add({ rows: [row('k')] });
    expect(after).toMatchObject({ is_new: true });
    expect(after?.id).not.toBe(before?.id);
  });

  it('with a reference that the caller cannot use are left out with the error, and the others are added', async () => {
    const stranger = someone();
    const foreign = contacts.as(stranger);
    const hotness_id = (await foreign.hotnesses.create({ name: 'Mine' })).id;
    const source_id = (await foreign.contactSources.create({ name: 'Mine' })).id;
    const field = (await foreign.customFields.create({ name: 'Mine', data_type: 'Text' })).id;
    const api = contacts.as(someone());
    const rows = [
      row('good'),
      row('hotness', { hotness_id }),
      row('source', { source_id }),
      row('field', { custom_fields: [{ id: field, value: 'x' }] }),
      row('assignee', { assigned_user_id: stranger.id }),
      row('share', {}, [stranger.id]),
      row('address', { addresses: [{ id: 1, city: 'x' }] }),
    ];
    const expected = [
      {},
      { hotness_id: `'${hotness_id}' does not exist` },
      { source_id: `'${source_id}' does not exist` },
      { 'custom_fields.0.id': `'${field}' does not exist` },
      { assigned_user_id: `'${stranger.id}' is not a user of your teams` },
      { shared_with: `'${stranger.id}' is not a user of your teams` },
      { 'addresses.0.id': "'1' does not exist" },
    ];
    const outcomes = await api.importedRows.add({ rows });
    expect(outcomes.map(({ errors }) => errors)).toEqual(expected);
    expect(await api.contacts.find({})).toMatchObject({ total: 1 });
    // A row that was invalid can be sent again when its reference exists.
    const fixed = await api.importedRows.add({ rows: [row('hotness')] });
    expect(fixed).toMatchObject([{ is_new: true, errors: {} }]);
  });

  it('are refused to a sub-account whose broker does not let it add contacts', async () => {
    const agent = agentOf(someone(), { is_contact_ownership_new_enabled: false });
    await expect(contacts.as(agent).importedRows.add({ rows: [row('k')] })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('are forgotten after 30 days, and their contacts stay', async () => {
    const api = contacts.as(someone());
    await api.importedRows.add({ rows: [row('old'), row('new')] });
    await contacts.rows("update imported_rows set created_at = now() - interval '31 days' where key = 'old'");
    await forgetImportedRows(contacts.database.query);
    const again = await api.importedRows.add({ rows: [row('old'), row('new')] });
    expect(again).toMatchObject([{ is_new: true }, { is_new: false }]);
    expect(await api.contacts.find({})).toMatchObject({ total: 3 });
  });
});

async function eventsOf(contactId: number) {
  const events = await contacts.published();
  return events
    .filter(({ data }) => data.contact_id === contactId)
    .map(({ type, aggregateversion, data }) => ({
      type,
      aggregateversion,
      data: { ...data, contact_id: 0 },
    }));
}

type Contact = Awaited<ReturnType<ReturnType<typeof contacts.as>['contacts']['get']>>;

/** Without ids and times, which differ between contacts. */
function comparable({ id, modified_at, addresses, ...contact }: Contact) {
  return { ...contact, addresses: addresses.map(({ id, created_at, modified_at, ...part }) => part) };
}

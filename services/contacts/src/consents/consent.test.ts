import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { optOuts, contacts: asSystem } = contacts.asSystem;
const nine = '2026-03-01T09:00:00.000Z';
const ten = '2026-03-01T10:00:00.000Z';
const silent = { state: 'Allowed', source: null, changed_at: null };
const anyTime = expect.stringMatching(/^20.+Z$/);

let numbers = 0;
const someContact = async (user = someone()) => {
  numbers += 1;
  const number = `+1604555${numbers + 7000}`;
  const email = `Bill${numbers}@Example.com`;
  const { id } = await contacts.as(user).contacts.create({ mobile_phone: number, email });
  const { consents } = contacts.as(user);
  const channels = async () => {
    const found = await consents.get({ id });
    return {
      text: { state: found.text_state, source: found.text_source, changed_at: found.text_changed_at },
      email: { state: found.email_state, source: found.email_source, changed_at: found.email_changed_at },
    };
  };
  const dispatched = async () => (await asSystem.exportForDispatch({ ids: [id] }))[0];
  return { id, user, number, email, consents, channels, dispatched };
};

describe('the consent of a contact', () => {
  it('is that of its number and its address, with source and time', async () => {
    const { channels, number, email, dispatched } = await someContact();
    expect(await channels()).toEqual({ text: silent, email: silent });
    await optOuts.add({ number, at: nine });
    await optOuts.addEmail({ email: email.toUpperCase(), at: ten, source: 'List-Unsubscribe' });
    expect(await channels()).toEqual({
      text: { state: 'Opted Out', source: 'Reply', changed_at: nine },
      email: { state: 'Opted Out', source: 'List-Unsubscribe', changed_at: ten },
    });
    expect(await dispatched()).toMatchObject({ text_opt_out: 'Reply', email_opt_out: 'List-Unsubscribe' });
    await optOuts.remove({ number, at: ten });
    expect((await channels()).text).toEqual({ state: 'Allowed', source: 'Reply', changed_at: ten });
    expect(await dispatched()).toMatchObject({ text_opt_out: null });
  });

  it('can be withdrawn by whoever may change the contact, and given again, for this contact alone', async () => {
    const { id, consents, channels, number } = await someContact();
    const other = await contacts.as(someone()).contacts.create({ mobile_phone: number });
    await consents.patch({ id, text_state: 'Opted Out' });
    expect((await channels()).text).toEqual({ state: 'Opted Out', source: 'Agent', changed_at: anyTime });
    expect(await asSystem.exportForDispatch({ ids: [id, other.id] })).toMatchObject([
      { text_opt_out: 'Agent', email_opt_out: null },
      { text_opt_out: null },
    ]);
    expect(await optOuts.among({ numbers: [number] })).toEqual([]);
    expect(await consents.patch({ id, text_state: 'Allowed' })).toMatchObject({
      text_state: 'Allowed',
      text_source: 'Agent',
    });
  });

  it('cannot be given by anybody else after the contact has withdrawn it', async () => {
    const { id, consents, channels, number, email } = await someContact();
    await optOuts.add({ number, at: nine });
    await optOuts.addEmail({ email, at: nine, source: 'Bounce' });
    for (const change of [{ text_state: 'Allowed' }, { email_state: 'Allowed' }] as const)
      await expect(consents.patch({ id, ...change })).rejects.toMatchObject({ name: 'Conflict' });
    expect(await channels()).toMatchObject({ text: { source: 'Reply' }, email: { source: 'Bounce' } });
  });

  it('needs the word of both: a START does not undo what the agent has said', async () => {
    const { id, consents, channels, number, dispatched } = await someContact();
    await consents.patch({ id, text_state: 'Opted Out' });
    await optOuts.remove({ number, at: ten });
    expect((await channels()).text).toMatchObject({ state: 'Opted Out', source: 'Agent' });
    expect(await dispatched()).toMatchObject({ text_opt_out: 'Agent' });
  });

  it('says since when texts wait for a decision, in whichever order that is reported', async () => {
    const { id, consents, number } = await someContact();
    const paused = async () => (await consents.get({ id })).text_paused_at;
    await optOuts.resume({ number, at: '2026-03-01T08:30:00.000Z' });
    await optOuts.pause({ number, at: '2026-03-01T08:00:00.000Z' });
    expect(await paused()).toBeNull();
    await optOuts.pause({ number, at: nine });
    await optOuts.pause({ number, at: nine });
    expect(await paused()).toBe(nine);
    await optOuts.resume({ number, at: ten });
    await optOuts.pause({ number, at: nine });
    expect(await paused()).toBeNull();
    await optOuts.pause({ number, at: '2026-03-01T11:00:00.000Z' });
    await optOuts.resume({ number, at: ten });
    expect(await paused()).toBe('2026-03-01T11:00:00.000Z');
    await optOuts.remove({ number, at: '2026-03-01T12:00:00.000Z' });
    expect(await paused()).toBeNull();
  });

  it('has the time of the change, also after it was sent again', async () => {
    const { id, consents } = await someContact();
    const { text_changed_at } = await consents.patch({ id, text_state: 'Opted Out' });
    expect(await consents.patch({ id, text_state: 'Opted Out' })).toMatchObject({ text_changed_at });
    expect((await consents.patch({ id, text_state: 'Allowed' })).text_changed_at).not.toBe(text_changed_at);
  });

  it('of a contact of strangers does not exist', async () => {
    const { id, consents: own } = await someContact();
    const stranger = someone();
    const { consents } = contacts.as(stranger);
    const file = { id, channels: ['Email' as const], email: 'stranger@example.com' };
    for (const ask of [
      () => consents.get({ id }),
      () => consents.patch({ id, text_state: 'Opted Out' }),
      () => consents.optOut(file),
    ])
      await expect(ask()).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.rows('select from agent_consents where contact_id = $1', [id])).toEqual([]);
    const kept = 'select from agent_opt_outs where owner_user_id = $1';
    expect(await contacts.rows(kept, [stranger.id])).toEqual([]);
    await own.patch({ id, text_state: 'Opted Out' });
    expect(await own.optedOut({ contact_ids: [id] })).toEqual([{ contact_id: id, opted_out: ['Text'] }]);
    expect(await consents.optedOut({ contact_ids: [id] })).toEqual([]);
  });

  it('that is read while the contact is removed is found, or refused like the contact itself', async () => {
    const outcomes = new Set<unknown>();
    for (let round = 0; round < 15; round += 1) {
      const { id, user, consents } = await someContact();
      const read = () =>
        consents.get({ id }).then(
          () => 'found',
          ({ name }) => name,
        );
      const reads = Array.from({ length: 12 }, (_, n) =>
        n === 6
          ? contacts
              .as(user)
              .contacts.remove({ id })
              .then(() => 'found')
          : read(),
      );
      for (const outcome of await Promise.all(reads)) outcomes.add(outcome);
    }
    expect([...outcomes].filter((one) => one !== 'found' && one !== 'NotFound')).toEqual([]);
  });

  it('changes the version of the contact once, and its row is removed with it', async () => {
    const { id, user, consents } = await someContact();
    await consents.patch({ id, email_state: 'Opted Out', text_state: 'Opted Out' });
    const events = (await contacts.published()).filter(({ data }) => data.contact_id === id);
    expect(events).toMatchObject([
      { type: 'crm.contacts.contact.created' },
      { type: 'crm.contacts.contact.changed', aggregateversion: 2, data: { fields: ['consent'] } },
    ]);
    await contacts.as(user).contacts.remove({ id });
    expect(await contacts.rows('select from agent_consents where contact_id = $1', [id])).toEqual([]);
  });
});

import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { contactsStore } from '../store.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const agentUnderTest = () => {
  const api = contacts.as(someone());
  return {
    add: async (email?: string) => (await api.contacts.create({ first_name: 'Bill', email })).id,
    setEmail: (id: number, email: string | null) => api.contacts.patch({ id, email }),
    say: (id: number, email_state: 'Allowed' | 'Opted Out') => api.consents.patch({ id, email_state }),
    states: async (...ids: number[]) => {
      const found = await Promise.all(ids.map((id) => api.consents.get({ id })));
      return found.map(({ email_state }) => email_state);
    },
    optOutOfRow: (id: number, email: string) => api.consents.optOut({ id, channels: ['Email'], email }),
  };
};

describe.each(['', ' ', '\u200b'])('contacts with the e-mail %j', (none) => {
  it('share no opt-out of an agent, whether it was said before or after the address was cleared', async () => {
    const { add, setEmail, say, states } = agentUnderTest();
    const [before, after] = [await add('before@example.com'), await add(none)];
    const others = [await add(none), await add('old@example.com')];
    await setEmail(others[1] ?? 0, none);
    await say(before, 'Opted Out');
    await setEmail(before, none);
    await say(after, 'Opted Out');
    expect(await states(...others)).toEqual(['Allowed', 'Allowed']);
    expect(await states(before, after)).toEqual(['Opted Out', 'Opted Out']);
    await setEmail(others[0] ?? 0, 'posted@example.com');
    expect(await states(...others, await add('posted@example.com'))).toEqual([
      'Allowed',
      'Allowed',
      'Allowed',
    ]);
  });

  it('keep their opt-outs when an agent allows e-mails to another of them, and take them to the next address', async () => {
    const { add, setEmail, say, states } = agentUnderTest();
    const [out, other] = [await add('first@example.com'), await add(none)];
    await say(out, 'Opted Out');
    await setEmail(out, none);
    await say(other, 'Allowed');
    expect(await states(out, other)).toEqual(['Opted Out', 'Allowed']);
    await setEmail(out, 'second@example.com');
    expect(await states(out, await add('second@example.com'))).toEqual(['Opted Out', 'Opted Out']);
  });

  it('are not opted out by a row of a file without an address', async () => {
    const { add, states, optOutOfRow } = agentUnderTest();
    const [out, other] = [await add('row@example.com'), await add(none)];
    await optOutOfRow(out, none);
    expect(await states(out, other)).toEqual(['Opted Out', 'Allowed']);
  });

  it('are not named in the event of an opt-out of one of them', async () => {
    const { add, say } = agentUnderTest();
    const [out] = [await add(none), await add(none)];
    await say(out ?? 0, 'Opted Out');
    const event = (await contacts.published()).at(-1);
    expect(event).toMatchObject({ type: 'crm.contacts.consent.changed', data: { contact_ids: [out] } });
  });

  it('are not opted out by a row that the release before has stored', async () => {
    const { add, states } = agentUnderTest();
    const id = await add(none);
    await contacts.rows(
      `insert into agent_opt_outs (owner_user_id, channel, destination, since)
       select owner_user_id, 'Email', lower(email), now() from contacts where id = $1`,
      [id],
    );
    expect(await states(id)).toEqual(['Allowed']);
  });

  it('are no opt-outs that `crm verify` misses', async () => {
    const { add, say } = agentUnderTest();
    await say(await add(none), 'Opted Out');
    const rule = contactsStore.consistency?.rules?.find(({ what }) => what.startsWith('opt-outs by agents'));
    expect(await contacts.rows(rule?.wrong ?? '')).toEqual([]);
  });
});

import { planNodes, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { consistency } from '../consistency.queries.ts';
import { optOutSourceOf } from '../contacts/opt-out-source.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { contacts: asSystem } = contacts.asSystem;

let numbers = 0;
const facts = () => {
  numbers += 1;
  return { mobile_phone: `+1604555${numbers + 3000}`, email: `Anna${numbers}@example.com` };
};
const both = (state: 'Allowed' | 'Opted Out') => ({ text_state: state, email_state: state });
const agent = { text_opt_out: 'Agent', email_opt_out: 'Agent' };
const none = { text_opt_out: null, email_opt_out: null };
const dispatched = async (...ids: number[]) => {
  const found = await asSystem.exportForDispatch({ ids });
  return found.map(({ text_opt_out, email_opt_out }) => ({ text_opt_out, email_opt_out }));
};

const agentUnderTest = () => {
  const user = someone();
  const own = contacts.as(user);
  return {
    add: async (draft: Partial<ReturnType<typeof facts>>) => (await own.contacts.create(draft)).id,
    patch: (id: number, change: { mobile_phone?: string | null; email?: string | null }) =>
      own.contacts.patch({ id, ...change }),
    remove: (id: number) => own.contacts.remove({ id }),
    say: (id: number, state: 'Allowed' | 'Opted Out') => own.consents.patch({ id, ...both(state) }),
    consent: (id: number) => own.consents.get({ id }),
  };
};

const lostIds = async () => {
  const rule = consistency.rules?.find(({ what }) => what.startsWith('opt-outs by agents'));
  const rows = await contacts.rows(rule?.wrong ?? '');
  return { ids: rows.map(({ id }) => Number(id)), repair: `with wrong as (${rule?.wrong}) ${rule?.repair}` };
};

describe('what an agent says about a contact', () => {
  it('is in force again when the contact is added again after a removal, in whatever notation', async () => {
    const { add, say, remove, consent } = agentUnderTest();
    const { mobile_phone, email } = facts();
    const first = await add({ mobile_phone, email });
    const { text_changed_at } = await say(first, 'Opted Out');
    await remove(first);
    const again = await add({ mobile_phone: mobile_phone.slice(2), email: email.toUpperCase() });
    expect(await consent(again)).toMatchObject({
      ...both('Opted Out'),
      text_source: 'Agent',
      text_changed_at,
    });
    expect(await dispatched(again)).toEqual([agent]);
  });

  it('holds for the other contacts of the owner with the number or address, and for those of nobody else', async () => {
    const { add, say } = agentUnderTest();
    const same = facts();
    const stranger = agentUnderTest();
    const ids = [await add(same), await add(same), await add({ mobile_phone: same.mobile_phone })];
    const others = [await add(facts()), await stranger.add(same)];
    await say(ids[0] ?? 0, 'Opted Out');
    expect(await dispatched(...ids)).toEqual([agent, agent, { text_opt_out: 'Agent', email_opt_out: null }]);
    expect(await dispatched(...others)).toEqual([none, none]);
  });

  it('ends for all of them when the agent allows messages at any one', async () => {
    const { add, say, remove, consent } = agentUnderTest();
    const same = facts();
    const [one, two] = [await add(same), await add(same)];
    await say(two, 'Allowed');
    await say(one, 'Opted Out');
    expect(await say(two, 'Allowed')).toMatchObject({ ...both('Allowed'), text_source: 'Agent' });
    expect(await dispatched(one, two)).toEqual([none, none]);
    expect(await consent(one)).toMatchObject(both('Allowed'));
    await remove(one);
    expect(await dispatched(await add(same))).toEqual([none]);
  });

  it('holds for a contact whose number or address becomes the one', async () => {
    const { add, say, remove, patch } = agentUnderTest();
    const same = facts();
    const first = await add(same);
    await say(first, 'Opted Out');
    await remove(first);
    const other = await add(facts());
    await say(other, 'Allowed');
    await patch(other, same);
    expect(await dispatched(other)).toEqual([agent]);
  });

  it.each([true, false])(
    'stays with a contact that gets another number, after none in between: %s',
    async (between) => {
      const { add, say, remove, patch } = agentUnderTest();
      const [before, after] = [facts(), facts()];
      const first = await add(before);
      await say(first, 'Opted Out');
      await remove(first);
      const again = await add(before);
      if (between) await patch(again, { mobile_phone: null, email: null });
      await patch(again, after);
      expect(await dispatched(again)).toEqual([agent]);
      await remove(again);
      const [old, late] = [await add(before), await add(after)];
      expect(await dispatched(old, late)).toEqual([agent, agent]);
    },
  );

  it('is kept although the contact had no number when it was said', async () => {
    const { add, say, remove, patch } = agentUnderTest();
    const late = facts();
    const first = await add({});
    await say(first, 'Opted Out');
    await patch(first, late);
    await remove(first);
    expect(await dispatched(await add(late))).toEqual([agent]);
  });

  it('is missed by nobody while contacts with the number are added', async () => {
    const { add, say } = agentUnderTest();
    const same = facts();
    const first = await add(same);
    const [, ...added] = await Promise.all([say(first, 'Opted Out'), ...[1, 2, 3, 4].map(() => add(same))]);
    expect(await dispatched(...added)).toEqual([agent, agent, agent, agent]);
  });

  it('may be said at several contacts with the number at once, and all agree afterwards', async () => {
    const { add, say } = agentUnderTest();
    const same = facts();
    const ids = await Promise.all(Array.from({ length: 12 }, () => add(same)));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(ids.map((id, index) => say(id, (round + index) % 2 === 0 ? 'Allowed' : 'Opted Out')));
      expect(new Set((await dispatched(...ids)).map((one) => JSON.stringify(one))).size).toBe(1);
    }
    await Promise.all(ids.map((id) => say(id, 'Allowed')));
    expect(await dispatched(...ids)).toEqual(ids.map(() => none));
  });

  it('is kept by the statements of the release before', async () => {
    const { add, remove } = agentUnderTest();
    const same = facts();
    const first = await add(same);
    const store = (state: string) =>
      contacts.rows(
        `insert into agent_consents (contact_id, channel, state, changed_at)
         select $1, c, $2, now() from unnest('{Text,Email}'::text[]) c
         on conflict (contact_id, channel) do update set state = excluded.state, changed_at = excluded.changed_at`,
        [first, state],
      );
    await store('Opted Out');
    const second = await add(same);
    expect(await dispatched(second)).toEqual([agent]);
    await store('Allowed');
    expect(await dispatched(second)).toEqual([none]);
    await store('Opted Out');
    await remove(first);
    expect(await dispatched(second)).toEqual([agent]);
  });

  it('is found by indexes when something is sent', async () => {
    const columns = (['Text', 'Email'] as const).map((channel) => optOutSourceOf(channel));
    const nodes = await planNodes(
      contacts.rows,
      `select id, ${columns} from contacts where id = any($1::int[])`,
    );
    const scans = nodes.filter((node) => /_opt_outs|agent_consents/.test(String(node['Index Name'])));
    expect(scans.filter((node) => String(node['Index Cond']).includes('owner_user_id'))).toHaveLength(2);
    expect(nodes.filter((node) => node['Relation Name'] === 'agent_opt_outs')).toHaveLength(2);
  });

  it('is checked and repaired', async () => {
    const { add, say, remove } = agentUnderTest();
    const same = facts();
    const first = await add(same);
    await say(first, 'Opted Out');
    expect((await lostIds()).ids).toEqual([]);
    await contacts.rows('delete from agent_opt_outs where destination = any($1)', [
      [same.mobile_phone, same.email.toLowerCase()],
    ]);
    const { ids, repair } = await lostIds();
    expect(ids).toEqual([first]);
    await contacts.rows(repair);
    expect((await lostIds()).ids).toEqual([]);
    await remove(first);
    expect(await dispatched(await add(same))).toEqual([agent]);
  });
});

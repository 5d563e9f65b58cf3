import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { removeCommunicationsTo } from '../communications/communication.queries.ts';

const under = await dispatchUnderTest({
  maxPerContact: { texts: 2, emails: 1 },
  maxPerAccount: { texts: 3, emails: 3 },
});
afterAll(under.close);
const { service, mail, carrier, communication, row, contact, due, later, turn } = under;

type Type = 'Email Contact' | 'Text Contact';

/** A message that was accepted, which nobody knows, and that waits to be sent again. */
async function doubtful(type: Type, facts: object = {}) {
  const found = await due(type, facts);
  mail.behave(() => 'break after accepting');
  carrier.behave(() => 'break after accepting');
  await turn();
  mail.behave(undefined);
  carrier.behave(undefined);
  expect(await found.now()).toMatchObject({ dispatch_state: 'Scheduled', doubtful_since: expect.anything() });
  await service.rows("update communications set next_attempt_at = now() + interval '1 hour' where id = $1", [
    found.id,
  ]);
  return found;
}

/** Adds messages of a sender, each to a contact of its own unless one is given, and returns how many are sent. */
async function sentOf(count: number, type: Type, send_from_user_id: number, contact_id?: number) {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) {
    const to = contact_id ?? (await contact()).id;
    ids.push(await communication({ type, contact_id: to, send_from_user_id, body: `Text ${index}` }));
  }
  await turn();
  const states = await Promise.all(ids.map(async (id) => (await row(id)).dispatch_state));
  return states.filter((state) => state === 'Sent').length;
}

describe('a message that may have been sent, and waits to be sent again', () => {
  it.each([
    ['Email Contact', 0],
    ['Text Contact', 1],
  ] as const)('counts for its contact, once: a %s', async (type, left) => {
    const { from, to, now } = await doubtful(type);
    expect(await sentOf(2, type, from.id, to.id)).toBe(left);
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('counts for its account, once, also when its contact was removed', async () => {
    const first = await doubtful('Text Contact');
    const removed = await doubtful('Text Contact', { send_from_user_id: first.from.id });
    await removeCommunicationsTo(service.database.query, removed.to.id);
    expect(await sentOf(3, 'Text Contact', first.from.id)).toBe(1);
    await later();
    await turn();
    expect(await first.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('stops the same text of its campaign to its number, and is sent itself', async () => {
    const words = { body: 'The same', campaign_id: 75 };
    const first = await doubtful('Text Contact', words);
    const same = await due('Text Contact', {
      ...words,
      contact_id: first.to.id,
      send_from_user_id: first.from.id,
    });
    await turn();
    expect(await same.now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: 'The campaign has sent the same text to the same number within 24 hours.',
    });
    await later();
    await turn();
    expect(await first.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});

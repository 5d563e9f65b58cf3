import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { forgetRemovedSendings, removeSomeTo } from '../communications/communication.queries.ts';

const under = await dispatchUnderTest({
  maxPerContact: { texts: 2, emails: 1 },
  maxPerAccount: { texts: 3, emails: 3 },
});
afterAll(under.close);
const { service, mail, carrier, communication, row, contact, due, later, turn } = under;

type Type = 'Email Contact' | 'Text Contact';

/** A message that was accepted without anybody knowing it, and that waits to be sent again. */
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

/** Adds messages of a sender, each to a separate contact unless one is given, and returns how many are sent. */
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

  it('counts for its account, once, even if its contact was removed', async () => {
    const first = await doubtful('Text Contact');
    const removed = await doubtful('Text Contact', { send_from_user_id: first.from.id });
    await removeSomeTo(service.database.query, removed.to.id, 10);
    expect(await sentOf(3, 'Text Contact', first.from.id)).toBe(1);
    await later();
    await turn();
    expect(await first.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('stops the same text of its campaign to its number, and is itself sent', async () => {
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

it('data about messages to a removed contact is deleted when it no longer counts, even if nobody else is removed', async () => {
  const numbers = ['+15550100001', '+15550100002', '+15550100003', '+15550100004'];
  const ages = ['25 hours 1 minute', '2 days', '60 days', '23 hours'];
  await service.rows(
    `insert into removed_sendings (send_from_user_id, contact_id, campaign_id, type, sent_to, begun_at, dispatch_state)
     select 77, 1, 9, 'Text Contact', n, now() - age::interval, 'Sent' from unnest($1::text[], $2::text[]) s (n, age)`,
    [numbers, ages],
  );
  await forgetRemovedSendings(service.database.query, 2);
  const left = await service.rows(
    'select sent_to from removed_sendings where send_from_user_id = 77 order by sent_to',
  );
  expect(left).toEqual([{ sent_to: numbers[3] }]);
});

import { failing } from '@crm/dispatch/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { communicationTable } from './communication-dispatch.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, later, due, queue } = under;

const failingNow = async () => {
  const rows = await failing(service.database.query, communicationTable, queue.check);
  return Object.fromEntries(rows.map(({ lane, count }) => [lane, count]));
};

const turns = async (count: number) => {
  for (let done = 0; done < count; done++) {
    await later();
    await turn();
  }
};

describe('communications that fail repeatedly', () => {
  it('are counted by type while their provider accepts none, even between their attempts', async () => {
    mail.behave(() => ({ answer: 451 }));
    carrier.behave(() => ({ answer: 503 }));
    const all = await Promise.all([...communicationTypes, 'Email Contact' as const].map((type) => due(type)));
    await turns(3);
    expect(await failingNow()).toEqual({});
    await turns(1);
    const counted = { 'Email Contact': 2, 'Text Contact': 1, 'Call Contact': 1 };
    expect(await failingNow()).toEqual(counted);
    await service.rows(
      "update communications set dispatch_state = 'Sending', lease_until = now() where type = 'Text Contact'",
    );
    expect(await failingNow()).toEqual(counted);

    mail.behave(undefined);
    carrier.behave(undefined);
    await turns(1);
    for (const one of all) expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
    expect(await failingNow()).toEqual({});
  });

  it('do not include those that wait for a decision, the end of a pause, or another day', async () => {
    const { to } = await due('Text Contact');
    await service.rows('insert into text_pauses (number, paused_at) values ($1, now())', [to.phone]);
    await turns(5);
    expect(
      await service.rows("select attempts from communications where dispatch_state = 'Scheduled'"),
    ).toEqual([{ attempts: 5 }]);
    expect(await failingNow()).toEqual({});

    mail.behave(() => ({ answer: 451 }));
    const { from, id } = await due('Email Contact');
    await turns(4);
    expect(await failingNow()).toEqual({ 'Email Contact': 1 });
    await service.asSystem.sendingPauses.add({ user_id: from.id });
    expect(await failingNow()).toEqual({});
    await service.asSystem.sendingPauses.remove({ user_id: from.id });
    const tomorrow = "send_at = now() + interval '1 day', next_attempt_at = now() + interval '1 day'";
    await service.rows(`update communications set ${tomorrow} where id = $1`, [id]);
    expect(await failingNow()).toEqual({});
  });
});

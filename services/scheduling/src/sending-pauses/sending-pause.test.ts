import { setCrashPoint } from '@crm/dispatch';
import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { rowProblems } from '../row-problems.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(() => setCrashPoint('communication.planned'));
const { service, turn, later, due } = under;
const { sendingPauses } = service.asSystem;

describe('the stop switch', () => {
  it('of an account holds its messages and those of nobody else, until it is off', async () => {
    const [one, other] = [await due('Text Contact'), await due('Email Contact')];
    await sendingPauses.add({ user_id: one.from.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
    expect(await other.now()).toMatchObject({ dispatch_state: 'Sent' });
    await sendingPauses.remove({ user_id: one.from.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it.each(['everybody', 'the sender'])('for %s holds at once, even for what is being sent', async (who) => {
    const one = await due('Text Contact');
    const user_id = who === 'everybody' ? null : one.from.id;
    setCrashPoint('communication.planned', async () => {
      setCrashPoint('communication.planned');
      await sendingPauses.add({ user_id });
    });
    await turn();
    expect(await one.now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Sending is paused.',
    });
    await later();
    await turn();
    expect(one.received().arrivals).toBe(0);
    await sendingPauses.remove({ user_id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('is shown to the operator with what waits', async () => {
    const one = await due('Text Contact');
    const { paused_at } = await sendingPauses.add({ user_id: one.from.id });
    expect(await sendingPauses.add({ user_id: one.from.id })).toEqual({ user_id: one.from.id, paused_at });
    await sendingPauses.add({ user_id: null });
    expect(await sendingPauses.find({})).toMatchObject([{ user_id: null }, { user_id: one.from.id }]);
    expect(await rowProblems(under.workerContext.database.query)).toEqual([
      {
        what: 'communications',
        count: 1,
        reason: expect.stringMatching(
          /^Sending has been paused for everybody and 1 user since 20.+; `crm dispatch resume` ends the pause\.$/,
        ),
      },
    ]);
    await sendingPauses.remove({ user_id: null });
    await sendingPauses.remove({ user_id: one.from.id });
    expect(await rowProblems(under.workerContext.database.query)).toEqual([]);
  });

  it('is not for users', async () => {
    const asUser = service.as(someone()).sendingPauses;
    for (const attempt of [() => asUser.find({}), () => asUser.add({ user_id: null })])
      await expect(attempt()).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

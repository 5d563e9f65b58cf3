import { clearCrashPoints, openDispatch, setCrashPointOnce } from '@crm/dispatch';
import { sendDue } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { losingCommits } from '../../test/lost-commit.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
/** A typical provider: it accepts a repeated message twice. */
const send = under.instance(false);

type Losing = ReturnType<typeof losingCommits>;

/** Sends what is due with an instance that does not learn that its final check was committed, whatever happens meanwhile. */
async function sendLosing(meanwhileOf: (losing: Losing) => () => Promise<unknown>) {
  const losing = losingCommits(under.workerContext);
  const { delivery } = under.settingsWith(false);
  const dispatch = openDispatch(under.queue, delivery, losing.context);
  setCrashPointOnce('communication.planned', async () => {
    losing.loseNext(meanwhileOf(losing));
  });
  await sendDue(dispatch, under.plenty);
}

describe('a text whose final check was committed without its worker knowing', () => {
  const meanwhiles: Record<string, () => Promise<unknown>> = {
    'is waited for': async () => undefined,
    'is left to another instance': async () => {
      await under.later();
      await send();
    },
  };

  it.each(Object.entries(meanwhiles))('and that %s, is sent once in the end', async (_what, meanwhile) => {
    const { now, received, id } = await under.due('Text Contact');
    await sendLosing(() => meanwhile);
    expect(await now()).toMatchObject({ dispatch_state: 'Scheduled' });
    await under.later();
    await send();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
    expect(received()).toEqual({ arrivals: 1, accepted: 1 });
    expect(await under.eventsOf(id)).toEqual(['dispatched']);
  });

  it('is sent once in the end, even if the database is unavailable for a moment', async () => {
    const { now, received } = await under.due('Text Contact');
    await sendLosing(
      ({ failNext }) =>
        async () =>
          failNext(3),
    );
    expect(await now()).toMatchObject({ dispatch_state: 'Scheduled' });
    await under.later();
    await send();
    expect([await now(), received()]).toMatchObject([
      { dispatch_state: 'Sent' },
      { arrivals: 1, accepted: 1 },
    ]);
  });
});

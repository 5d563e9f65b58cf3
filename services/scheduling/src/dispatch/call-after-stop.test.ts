import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { textsOf } from '../../test/texts.ts';
import { settleTexts } from '../inbound-texts/settle-texts-worker.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, turn, later, due, workerContext } = under;
const { post, settle } = textsOf(under);

afterEach(clearCrashPoints);

/** Does something while contacts does not respond about opt-outs. */
async function whileAway(work: () => Promise<unknown>) {
  for (const table of ['opt_outs', 'text_pauses'])
    await service.contacts.rows(`alter table ${table} rename to ${table}_away`);
  await work();
  for (const table of ['opt_outs', 'text_pauses'])
    await service.contacts.rows(`alter table ${table}_away rename to ${table}`);
}

const justCameIn = 'A text from the contact has just come in.';

describe('a call about a number', () => {
  it.each([
    ['STOP', /opted out of texts/],
    ['Please stop calling me', /asked by text to be left alone/],
  ])('from which "%s" has arrived waits until contacts knows it, and then fails', async (words, reason) => {
    const call = await due('Call Contact');
    await whileAway(async () => {
      await post(call.to.phone, words);
      await settleTexts(workerContext);
    });
    await turn();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Scheduled', dispatch_reason: justCameIn });
    await settle();
    await later();
    await turn();
    expect(await call.now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: expect.stringMatching(reason),
    });
    expect(call.received().arrivals).toBe(0);
  });

  it("of a contact's home waits too, if another contact has texted STOP from it", async () => {
    const number = under.number();
    const { id } = await under.contact({ mobile_phone: null, home_phone: number });
    const call = await due('Call Contact', { contact_id: id });
    await whileAway(() => post(number, 'STOP'));
    await turn();
    expect(call.received().arrivals).toBe(0);
    expect(await call.now()).toMatchObject({ dispatch_reason: justCameIn });
  });

  it.each(['STOP', 'Please stop calling me'])(
    'from which "%s" arrives while the call is being prepared is not made',
    async (words) => {
      const call = await due('Call Contact');
      setCrashPointOnce('communication.planned', async () => {
        await post(call.to.phone, words);
        await settle();
      });
      await turn();
      expect(await call.now()).toMatchObject({ dispatch_state: 'Scheduled' });
      expect(call.received().arrivals).toBe(0);
    },
  );

  it('from which another text has arrived is made', async () => {
    const call = await due('Call Contact');
    await post(call.to.phone, 'When can you call me?');
    await turn();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});

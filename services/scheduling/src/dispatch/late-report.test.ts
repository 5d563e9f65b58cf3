import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, due, eventsOf, reportText, wait } = under;
afterEach(() => carrier.behave(undefined));
/** A typical provider: it accepts a repeated message twice. */
const send = under.instance(false);

/** The provider's report about a text, with the error if there is one. */
const report = (key: unknown, status: string, ErrorCode?: string) =>
  reportText(key, status, { form: ErrorCode === undefined ? {} : { ErrorCode } });

/** A text that the provider accepts, but lists only after it is no longer asked. */
async function givenUp(facts: object = {}) {
  const one = await due('Text Contact', facts);
  carrier.behave(() => 'break before accepting');
  await send();
  carrier.behave(undefined);
  await wait(one.id, 200);
  await send.reconcile();
  expect(await one.now()).toMatchObject({ dispatch_state: 'Failed' });
  return one;
}

describe('a report about a text that was given up because the provider did not list it', () => {
  it.each([
    ['queued', 'Queued', null],
    ['delivered', 'Delivered', null],
    ['undelivered', 'Undelivered', 'The phone with this number could not be reached.'],
  ])('with the status %s says that it was sent', async (status, delivery_state, dispatch_reason) => {
    const words = { body: `Words that are ${status}`, campaign_id: 77 };
    const one = await givenUp(words);
    await report(one.key, status, dispatch_reason === null ? undefined : '30003');
    expect(await one.now()).toMatchObject({
      dispatch_state: 'Sent',
      delivery_state,
      dispatch_reason,
      is_active: false,
      completed_at: expect.anything(),
    });
    expect(await eventsOf(one.id)).toEqual(['failed', 'dispatched']);
    await report(one.key, status);
    expect(await eventsOf(one.id)).toEqual(['failed', 'dispatched']);
    const same = await due('Text Contact', {
      ...words,
      contact_id: one.to.id,
      send_from_user_id: one.from.id,
    });
    await send();
    expect(await same.now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: 'The campaign has sent the same text to the same number within 24 hours.',
    });
  });

  it('that it failed leaves it failed, and so do later reports', async () => {
    const { id, key, now } = await givenUp();
    await report(key, 'failed', '30003');
    await report(key, 'delivered');
    expect(await now()).toMatchObject({ dispatch_state: 'Failed', delivery_state: 'Failed' });
    expect(await eventsOf(id)).toEqual(['failed']);
  });

  it('also says so if it was marked as done since', async () => {
    const { id, key, from, to, now } = await givenUp();
    const user = { ...someone(), id: from.id };
    await service.as(user).communications.patch({ id, contact_id: to.id, is_active: false });
    await report(key, 'delivered');
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', completing_user_id: from.id });
  });
});

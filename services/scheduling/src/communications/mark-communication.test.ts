import { afterAll, describe, expect, it } from 'vitest';
import { ahead, communicationsUnderTest, start } from '../../test/communications.ts';

const { scheduling, time, anna, bert, inCampaign } = await communicationsUnderTest();
afterAll(scheduling.close);
const { rows } = scheduling;
const { enrolments } = scheduling.asSystem;

const sending = `dispatch_state = 'Sending', lease_until = now() + interval '1 minute'`;
const sent = `dispatch_state = 'Sent', begun_at = now(), is_active = false, completed_at = now()`;

describe('a communication that is marked as done', () => {
  it('is completed by that user, and is not sent', async () => {
    const { mark, as, contact_id, id } = await inCampaign();
    const done = {
      is_active: false,
      completed_at: start,
      completing_user_id: bert.id,
      dispatch_state: 'Dropped',
      dispatch_reason: 'It was marked as done before it was sent.',
    };
    expect(await mark(false)).toMatchObject(done);
    expect(await as(anna).get({ contact_id, id })).toMatchObject(done);
  });

  it('may have failed, or be leased but not begun', async () => {
    for (const state of [`dispatch_state = 'Failed', dispatch_reason = 'No address.'`, sending]) {
      const { set, mark, id } = await inCampaign();
      await set(state);
      expect(await mark(false)).toMatchObject({ is_active: false, dispatch_state: 'Dropped' });
      expect(await rows('select lease_until from communications where id = $1', [id])).toEqual([
        { lease_until: null },
      ]);
    }
  });

  it('is refused while it is being sent, and does not change', async () => {
    const { set, mark, as, contact_id, id } = await inCampaign();
    await set(`${sending}, begun_at = now()`);
    await expect(mark(false)).rejects.toMatchObject({
      name: 'Conflict',
      message: 'It is being sent. Try again in a minute.',
    });
    expect(await as(anna).get({ contact_id, id })).toMatchObject({
      is_active: true,
      dispatch_state: 'Sending',
    });
  });

  it('is returned as done when the request is repeated with its Idempotency-Key after the communication was sent', async () => {
    const { set, as, contact_id, id } = await inCampaign();
    await set(`${sending}, begun_at = now()`);
    const mark = () => as(bert).patch({ contact_id, id, is_active: false }, { idempotencyKey: 'done' });
    await expect(mark()).rejects.toMatchObject({ name: 'Conflict', retryAfter: 60 });
    await set(`${sent}, lease_until = null`);
    expect(await mark()).toMatchObject({ is_active: false });
  });

  it('does not change if it is already done, and publishes nothing', async () => {
    const { mark, set } = await inCampaign();
    await mark(false);
    const before = (await scheduling.published()).length;
    expect(await mark(false, anna)).toMatchObject({ completing_user_id: bert.id });
    await set(sent);
    expect(await mark(false)).toMatchObject({ dispatch_state: 'Sent' });
    expect((await scheduling.published()).length).toBe(before);
  });

  it('is published with ids only, and so is the reopening', async () => {
    const { mark, contact_id, campaign_contact_id, id } = await inCampaign();
    const before = (await scheduling.published()).length;
    await mark(false);
    await mark(true);
    const events = (await scheduling.published()).slice(before);
    const data = { communication_id: id, campaign_contact_id, contact_id };
    expect(events).toMatchObject([
      { type: 'crm.scheduling.communication.completed', aggregateversion: 2, data },
      { type: 'crm.scheduling.communication.reopened', aggregateversion: 3, data },
    ]);
  });
});

describe('a communication that is marked as not done', () => {
  it('will be sent if its time is in the future', async () => {
    const { mark, id } = await inCampaign();
    await mark(false);
    expect(await mark(true)).toMatchObject({
      is_active: true,
      completed_at: null,
      completing_user_id: null,
      dispatch_state: 'Scheduled',
      dispatch_reason: null,
    });
    expect(await rows('select next_attempt_at from communications where id = $1', [id])).toEqual([
      { next_attempt_at: '2026-03-02 19:00:00+00' },
    ]);
  });

  it('is never sent at another hour than intended', async () => {
    const { mark } = await inCampaign();
    await mark(false);
    time.now = new Date(ahead);
    const reopened = await mark(true);
    time.now = new Date(start);
    expect(reopened).toMatchObject({
      is_active: true,
      completed_at: null,
      dispatch_state: 'Dropped',
      dispatch_reason: 'Its time has passed.',
    });
  });

  it('is never sent a second time', async () => {
    const { mark, set } = await inCampaign();
    await set(sent);
    expect(await mark(true)).toMatchObject({
      is_active: true,
      completed_at: null,
      completing_user_id: null,
      dispatch_state: 'Sent',
    });
    expect(await mark(false)).toMatchObject({ completing_user_id: bert.id, dispatch_state: 'Sent' });
  });

  it('is not sent if the campaign was stopped, for the contact or for all', async () => {
    for (const scope of ['campaign_contact_id', 'campaign_id'] as const) {
      const { mark, wanted, campaign_contact_id } = await inCampaign();
      await mark(false);
      await enrolments.stop(
        scope === 'campaign_id' ? { campaign_id: wanted.campaign_id } : { campaign_contact_id },
      );
      expect(await mark(true)).toMatchObject({
        is_active: true,
        dispatch_state: 'Dropped',
        dispatch_reason: 'The campaign was stopped.',
      });
    }
  });

  it('keeps the reason why it failed', async () => {
    const { mark, set } = await inCampaign();
    await set(`dispatch_state = 'Failed', dispatch_reason = 'No address.', send_at = '2026-03-01T00:00:00Z',
      is_active = false, completed_at = now()`);
    expect(await mark(true)).toMatchObject({ dispatch_state: 'Failed', dispatch_reason: 'No address.' });
  });
});

describe('a change of a communication', () => {
  it('ignores fields that cannot be written', async () => {
    const { contact_id, as, id } = await inCampaign();
    const before = await as(anna).get({ contact_id, id });
    const patch = {
      contact_id,
      id,
      send_at: '2030-01-01T00:00:00Z',
      type: 'Text Contact',
      dispatch_state: 'Sent',
    };
    expect(await as(anna).patch(patch)).toEqual(before);
  });

  it('by twenty people at once takes effect once', async () => {
    const { mark, id } = await inCampaign();
    const before = (await scheduling.published()).length;
    await Promise.all(Array.from({ length: 20 }, (_, index) => mark(false, index % 2 ? anna : bert)));
    expect((await scheduling.published()).length).toBe(before + 1);
    expect(await rows('select version from communications where id = $1', [id])).toEqual([{ version: 2 }]);
  });

  it('never completes what is being sent, and never sends what is completed', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { mark, set, contact_id, as, id } = await inCampaign();
      await set(`${sending}, attempts = 1`);
      const begin = () =>
        rows(
          `update communications set begun_at = now()
           where id = $1 and attempts = 1 and dispatch_state = 'Sending' and begun_at is null returning id`,
          [id],
        );
      const marked = mark(false).then(
        () => true,
        (error: Error) => {
          expect(error.name).toBe('Conflict');
          return false;
        },
      );
      await new Promise((resolve) => setTimeout(resolve, (round % 4) * 4));
      const begun = (await begin()).length === 1;
      expect(await marked).toBe(!begun);
      expect((await as(anna).get({ contact_id, id })).dispatch_state).toBe(begun ? 'Sending' : 'Dropped');
    }
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { moveLate } from './move-late.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, workerContext, turn, sender, contact, communication, eventsOf, row } = under;

const move = () => moveLate(workerContext);
const from = await sender();
const hour = 3_600_000;
const momentOf = (stored: unknown) => Date.parse(String(stored));

/** A text that was due some hours ago. */
async function missed(hours: number, facts: object = {}) {
  const { id: contact_id } = await contact();
  return communication({
    type: 'Text Contact',
    body: 'Hi',
    send_from_user_id: from.id,
    contact_id,
    send_at: `now() - interval '${hours * 60} minutes'`,
    ...facts,
  });
}

describe('a message that is late', () => {
  it('by 59 minutes is still sent, and by 61 minutes is not', async () => {
    const [id, tooLate] = [await missed(59 / 60), await missed(61 / 60)];
    await turn();
    expect(await row(id)).toMatchObject({ dispatch_state: 'Sent', first_send_at: null });
    const before = await row(tooLate);
    expect(before).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0, first_send_at: null });
    await move();
    expect(await row(tooLate)).toMatchObject({ dispatch_state: 'Scheduled', first_send_at: before.send_at });
  });

  it('by less than an hour keeps its time', async () => {
    const id = await missed(59 / 60);
    const before = await row(id);
    await move();
    expect(await row(id)).toEqual(before);
    await turn();
  });

  it('by more is not sent at the wrong hour, but at its time of day on the next day', async () => {
    const id = await missed(2);
    const before = await row(id);
    await turn();
    expect(await row(id)).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
    await move();
    const after = await row(id);
    expect(momentOf(after.send_at) - momentOf(before.send_at)).toBe(24 * hour);
    expect(after).toMatchObject({
      first_send_at: before.send_at,
      next_attempt_at: after.send_at,
      dispatch_state: 'Scheduled',
    });
    expect(await eventsOf(id)).toEqual(['moved']);
    await move();
    expect(await row(id)).toEqual(after);
  });

  it('because its attempts failed is not sent at that hour either', async () => {
    const id = await missed(2, { attempts: 6, dispatch_reason: 'Busy.' });
    await move();
    await turn();
    expect(await row(id)).toMatchObject({
      dispatch_state: 'Scheduled',
      attempts: 6,
      dispatch_reason: 'Busy.',
    });
  });

  it('like others of its type to the same contact is sent on a separate day, in order; another type does not interfere', async () => {
    const { id: contact_id } = await contact();
    const third = await missed(2, { contact_id });
    const first = await missed(50, { contact_id });
    const second = await missed(26, { contact_id });
    const email = await missed(3, { contact_id, type: 'Email Contact' });
    await Promise.all([move(), move(), move()]);
    await move();
    const days = async (id: number) => {
      const [one] = await service.rows(
        'select (send_at::date - now()::date) as days from communications where id = $1',
        [id],
      );
      return Number(one?.days);
    };
    const offsets = [await days(first), await days(second), await days(third)];
    const [start = 0] = offsets;
    for (const id of [first, second, third]) expect(await eventsOf(id)).toEqual(['moved']);
    expect(offsets).toEqual([start, start + 1, start + 2]);
    expect(await days(email)).toBeLessThanOrEqual(1);
  });

  it('waits for the day after one on which another moved message was sent', async () => {
    const id = await missed(23);
    const { contact_id, send_at } = await row(id);
    const moved = { first_send_at: '2026-01-01T09:00:00Z' };
    const at = '2026-01-02T09:00:00Z';
    const sent = { dispatch_state: 'Sent', is_active: false, completed_at: at, begun_at: at };
    await missed(-1, { contact_id, ...moved, ...sent });
    await move();
    expect(momentOf((await row(id)).send_at) - momentOf(send_at)).toBe(48 * hour);
  });

  it('again after it was moved still counts from its original time', async () => {
    const id = await missed(26);
    await service.rows(
      "update communications set first_send_at = send_at - interval '12 days' where id = $1",
      [id],
    );
    const before = await row(id);
    await move();
    const { send_at, first_send_at } = await row(id);
    expect(momentOf(send_at) - momentOf(before.send_at)).toBe(48 * hour);
    expect(first_send_at).toEqual(before.first_send_at);
  });

  it('by more than two weeks fails, with the reason why it was not sent before', async () => {
    const id = await missed(15 * 24);
    const retried = await missed(2, { dispatch_reason: 'Busy.' });
    await service.rows("update communications set first_send_at = now() - interval '15 days' where id = $1", [
      retried,
    ]);
    await move();
    const missedReason = 'It was missed while the system was unavailable.';
    expect(await row(id)).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: missedReason,
      is_active: true,
    });
    expect(await row(retried)).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: `${missedReason} Busy.`,
    });
    expect(await eventsOf(id)).toEqual(['failed']);
  });
});

import { randomUUID } from 'node:crypto';
import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { forgetOldReplies } from './reply.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, turn, sender, contact, communication, row } = under;
const { replies } = service.asSystem;

const from = await sender();
const stopping = { type: 'Text Contact', body: 'Hi', is_stopped_on_text_reply: true };
const tomorrow = { send_at: "now() + interval '1 day'" };
/** In the next millisecond, because the database clock, which sets the times of the texts, has a finer resolution. */
const reply = (number: string, id: string = randomUUID()) =>
  replies.take({ id, number, at: new Date(Date.now() + 1).toISOString() });

async function scheduled(facts: object = {}, to?: { id: number; phone: string }) {
  const someContact = to ?? (await contact());
  const id = await communication({
    ...stopping,
    ...tomorrow,
    contact_id: someContact.id,
    send_from_user_id: from.id,
    ...facts,
  });
  return { id, to: someContact };
}

const states = async (...ids: number[]) => Promise.all(ids.map(async (id) => (await row(id)).dispatch_state));

describe('a reply to a text', () => {
  it('stops the texts to the contact that a reply should stop, and nothing else', async () => {
    const { id, to } = await scheduled();
    const others = [
      await scheduled({ is_stopped_on_text_reply: false }, to),
      await scheduled({ type: 'Email Contact' }, to),
      await scheduled(),
    ].map((one) => one.id);
    expect(await reply(to.phone)).toEqual({ stopped: [id] });
    expect(await row(id)).toMatchObject({
      dispatch_state: 'Dropped',
      dispatch_reason: 'The contact replied to a text.',
      is_active: false,
      completed_at: expect.any(String),
      completing_user_id: null,
    });
    expect(await states(...others)).toEqual(['Scheduled', 'Scheduled', 'Scheduled']);
    expect(await under.eventsOf(id)).toEqual(['stopped']);
  });

  it('stops those to everybody who was texted at that number, even if their number has changed', async () => {
    const { id: sent, to } = await scheduled({ send_at: 'now()' });
    await turn();
    expect(await states(sent)).toEqual(['Sent']);
    const { id } = await scheduled({}, to);
    await service.contacts.rows('update contacts set mobile_phone_e164 = null where id = $1', [to.id]);
    await reply(to.phone);
    expect(await states(sent, id)).toEqual(['Sent', 'Dropped']);
  });

  it('that is repeated stops nothing more', async () => {
    const { id, to } = await scheduled();
    const name = randomUUID();
    await reply(to.phone, name);
    await service.rows(
      `update communications set dispatch_state = 'Scheduled', is_active = true, completed_at = null where id = $1`,
      [id],
    );
    expect(await reply(to.phone, name)).toEqual({ stopped: [] });
    expect(await states(id)).toEqual(['Scheduled']);
  });

  it('is remembered for 180 days', async () => {
    const { id, to } = await scheduled();
    const [known, forgotten] = [randomUUID(), randomUUID()];
    const received = (name: string, age: string) =>
      service.rows('insert into replies (id, number, replied_at) values ($1, $2, now() - $3::interval)', [
        name,
        to.phone,
        age,
      ]);
    await received(known, '179 days');
    await received(forgotten, '181 days');
    await forgetOldReplies(service.database.query);
    expect(await reply(to.phone, known)).toEqual({ stopped: [] });
    expect(await reply(to.phone, forgotten)).toEqual({ stopped: [id] });
  });

  it('that is delivered late does not stop what was created since', async () => {
    const { id, to } = await scheduled();
    const at = new Date(Date.now() - 60_000).toISOString();
    expect(await replies.take({ id: randomUUID(), number: to.phone, at })).toEqual({ stopped: [] });
    expect(await states(id)).toEqual(['Scheduled']);
  });

  it('stops a text that a worker has leased, until the final check', async () => {
    const { id, to } = await scheduled({ send_at: 'now()' });
    setCrashPoint('communication.leased', async () => void (await reply(to.phone)));
    await turn();
    expect(await row(id)).toMatchObject({
      dispatch_state: 'Dropped',
      dispatch_reason: 'The contact replied to a text.',
    });
    expect(under.received((await row(id)).key).arrivals).toBe(0);
  });

  it('does not stop a text that is being sent', async () => {
    const { id, to } = await scheduled({ send_at: 'now()' });
    setCrashPoint('communication.begun', async () => void (await reply(to.phone)));
    await turn();
    expect(await row(id)).toMatchObject({ dispatch_state: 'Sent', completing_user_id: null });
    expect(under.received((await row(id)).key)).toEqual({ arrivals: 1, accepted: 1 });
  });

  it('cannot be reported by a user, and must have a number in E.164', async () => {
    const report = { id: 'SM1', number: '+16045550001', at: new Date().toISOString() };
    await expect(service.as(someone()).replies.take(report)).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(replies.take({ ...report, number: '604' })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { number: 'must be a phone number in E.164' },
    });
  });
});

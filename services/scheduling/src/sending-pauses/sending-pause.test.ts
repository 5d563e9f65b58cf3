import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { action, next, plan, template } from '../../test/plans.ts';
import { rowProblems } from '../row-problems.ts';
import { addPause, removePause } from './sending-pause.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, turn, later, due } = under;
const { sendingPauses } = service.asSystem;

/** A due text, sent by a teammate of the user who put the contact into the campaign. */
async function dueByTeammate() {
  const [enroller, from] = [await under.sender(), await under.sender()];
  const { first: anna, second: ben } = await under.workTogether(enroller.id, from.id);
  const draft = { first_name: 'Bill', mobile_phone: under.number() };
  const { id: contact_id } = await service.contacts.as(anna).contacts.create(draft);
  await service.contacts.as(anna).shares.create({ contact_id, user_id: ben.id });
  const text = action({ type: 'Text Contact', assigned_user_id: ben.id, delay_by_seconds: 0, template });
  const start_at = new Date(Date.now() - 60_000).toISOString();
  // Other tests add messages of campaign contacts with low ids.
  const campaign_contact_id = 1_000_000 + next();
  await service.asSystem.enrolments.enrol({
    campaign_contact_id,
    plan: plan(anna, [text], { contact_id, start_at }),
  });
  const now = async () =>
    (await service.rows('select * from communications where contact_id = $1', [contact_id]))[0] ?? {};
  const { key } = await now();
  return { enroller, from, now, received: () => under.received(key) };
}

describe('the stop switch', () => {
  it("of an account holds its messages and nobody else's, until it is off", async () => {
    const [one, other] = [await due('Text Contact'), await due('Email Contact')];
    await sendingPauses.add({ user_id: one.from.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
    expect(await other.now()).toMatchObject({ dispatch_state: 'Sent' });
    await sendingPauses.remove({ user_id: one.from.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('of the user who put the contact into the campaign holds what a teammate sends, until it is off', async () => {
    const one = await dueByTeammate();
    await sendingPauses.add({ user_id: one.enroller.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
    expect(await rowProblems(under.workerContext.database.query)).toMatchObject([{ count: 1 }]);
    await sendingPauses.remove({ user_id: one.enroller.id });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it.each([
    ['everybody', null],
    ['the sender', 'from'],
    ['the user who put the contact into the campaign', 'enroller'],
  ] as const)('for %s takes effect immediately, even for what is being sent', async (_who, of) => {
    const one = await dueByTeammate();
    const user_id = of && one[of].id;
    setCrashPointOnce('communication.planned', async () => {
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
    expect(await sendingPauses.add({ user_id: one.from.id })).toEqual({
      user_id: one.from.id,
      by: 'operator',
      paused_at,
    });
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

  it.each([
    ['operator', 'user'],
    ['user', 'operator'],
  ] as const)('that the %s has set is not lifted by the %s', async (by, other) => {
    const { query } = service.database;
    const one = await due('Text Contact');
    const { paused_at } = await addPause(query, one.from.id, by);
    await removePause(query, one.from.id, other);
    await addPause(query, one.from.id, other);
    await removePause(query, one.from.id, other);
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
    expect(await sendingPauses.find({})).toEqual([{ user_id: one.from.id, by, paused_at }]);
    await removePause(query, one.from.id, by);
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('that an instance of the previous release has set belongs to its user, who can lift it', async () => {
    const one = await due('Text Contact');
    const add = `insert into sending_pauses (user_id, paused_at) values ($1, now())
      on conflict (user_id) do update set paused_at = sending_pauses.paused_at`;
    for (const id of [one.from.id, 0]) await service.rows(add, [id]);
    expect(await sendingPauses.find({})).toMatchObject([
      { user_id: null, by: 'operator' },
      { user_id: one.from.id, by: 'user' },
    ]);
    await sendingPauses.remove({ user_id: null });
    await sendingPauses.add({ user_id: one.from.id });
    await service.rows(add, [one.from.id]);
    await service.rows('delete from sending_pauses where user_id = $1', [one.from.id]);
    expect(await sendingPauses.find({})).toEqual([]);
  });

  it('is not for users', async () => {
    const asUser = service.as(someone()).sendingPauses;
    for (const attempt of [() => asUser.find({}), () => asUser.add({ user_id: null })])
      await expect(attempt()).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

import type { User } from '@crm/auth';
import { teamMemberRemoved, userDisabled } from '@crm/events';
import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { returnUnclaimed } from './return-unclaimed.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, rollouts, workerContext } = under;
const { person, asNow } = service;
const sweep = () => returnUnclaimed(workerContext);

/** A lead that is offered to Ben now, and to Cleo and Dora a day and two days later. */
async function oneADay(
  draft: object = { order_method: 'Rank', mins_until_next_alert: 1440 },
  isOffered = true,
) {
  const people = [await person(), await person(), await person(), await person()] as const;
  const [anna, ben, cleo, dora] = people;
  const minutes = (mins_until_lead_offer: number) => ({ mins_until_lead_offer, has_text_alert: true });
  const members = [
    [ben, minutes(0)] as const,
    [cleo, minutes(1440)] as const,
    [dora, minutes(2880)] as const,
  ];
  const team_id = await rollouts.team(anna, members, draft);
  const lead_id = await rollouts.lead(anna, { team_id });
  const send = async () => (await asNow(anna)).offers.send({ lead_id });
  if (isOffered) await send();
  return { anna, ben, cleo, dora, team_id, lead_id, send };
}

const claim = async (user: User, id: number) => (await asNow(user)).leads.claim({ id });
const isIn = (minutes: number) => (at: Date) =>
  Math.abs(at.getTime() - Date.now() - minutes * 60_000) < 600_000;

/** The users of the offers of a lead, each with the days until the turn. */
async function turnsOf(lead_id: number) {
  const days = (at: Date) => [0, 1, 2].find((day) => isIn(day * 1440)(at));
  return (await rollouts.offers(lead_id)).map(({ user_id, notify_at }) => [user_id, days(notify_at)]);
}

async function removeOption(creator: User, team_id: number, { id: user_id }: User) {
  const { distributionOptions } = await asNow(creator);
  const { data } = await distributionOptions.find({ team_id, user_id });
  for (const { id } of data) await distributionOptions.remove({ id });
}

async function leave(team_id: number, { id: user_id }: User) {
  const data = { team_member_id: 1, team_id, user_id, request_status: 'Accepted' } as const;
  await service.deliver(teamMemberRemoved, data, new Date(Date.now() + 1000));
}

async function disable({ id: user_id }: User, at = Date.now() + 1000) {
  await service.identity.asSystem.users.disable({ user: user_id });
  await service.deliver(userDisabled, { user_id }, new Date(at));
}

/** As if the offers had been made, and their members disabled, two minutes earlier. */
async function letRequestsEnd(lead_id: number) {
  await service.rows("update disabled_members set disabled_at = disabled_at - interval '2 minutes'");
  await service.rows(
    "update lead_offers set created_at = created_at - interval '2 minutes' where lead_id = $1",
    [lead_id],
  );
}

describe('the next turn begins at once', () => {
  it.each(['Rank', 'Time'])(
    'when the only member whose turn it is loses the option, in a team by %s',
    async (order_method) => {
      const pace = order_method === 'Rank' ? { mins_until_next_alert: 1440 } : {};
      const { anna, ben, cleo, dora, team_id, lead_id } = await oneADay({ order_method, ...pace });
      await removeOption(anna, team_id, ben);
      await sweep();
      expect(await turnsOf(lead_id)).toEqual([
        [ben.id, 0],
        [cleo.id, 0],
        [dora.id, 1],
      ]);
      const moved = (await service.published()).filter(
        ({ type, data }) => type.endsWith('offer.changed') && data.lead_id === lead_id,
      );
      expect(moved.map(({ data }) => data.user_id)).toEqual([cleo.id, dora.id]);
      expect(await claim(cleo, lead_id)).toMatchObject({ claimed_by_user_id: cleo.id });
    },
  );

  it('when that member leaves the team, for one of many instances', async () => {
    const { ben, cleo, dora, team_id, lead_id } = await oneADay();
    await leave(team_id, ben);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await turnsOf(lead_id)).toEqual([
      [ben.id, 0],
      [cleo.id, 0],
      [dora.id, 1],
    ]);
  });

  it("when that member's account is disabled, whose offer becomes void", async () => {
    const { ben, cleo, dora, lead_id } = await oneADay();
    await disable(ben);
    await sweep();
    expect(await turnsOf(lead_id)).toEqual([
      [ben.id, 0],
      [cleo.id, 0],
      [dora.id, 1],
    ]);
    const [offer] = await service.rows(
      'select withdrawn_at is not null as is_void from lead_offers where lead_id = $1 and user_id = $2',
      [lead_id, ben.id],
    );
    expect(offer).toEqual({ is_void: true });
    expect(await claim(cleo, lead_id)).toMatchObject({ claimed_by_user_id: cleo.id });
  });

  it('and the lead goes to its creator when all members have left or are disabled', async () => {
    const { anna, ben, cleo, dora, team_id, lead_id } = await oneADay();
    await disable(ben);
    await leave(team_id, cleo);
    await disable(dora);
    await sweep();
    const [lead] = await service.rows('select * from leads where id = $1', [lead_id]);
    expect(lead).toMatchObject({ assigned_user_id: anna.id, fallback_reason: 'Nobody to offer it to' });
  });
});

describe('the next turn begins a minute after the member whose turn it is was disabled', () => {
  it('while the offer was being made', async () => {
    const { ben, cleo, dora, lead_id, send } = await oneADay(undefined, false);
    const lock = 'select from leads where id = $1 for update';
    await using lead = await openTransaction(service.database, lock, [lead_id]);
    const sending = send();
    await untilWaiting(service.rows, [sending]);
    await disable(ben);
    await lead.commit();
    await sending;
    await sweep();
    expect((await turnsOf(lead_id)).at(1)).toEqual([cleo.id, 1]);
    await letRequestsEnd(lead_id);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await turnsOf(lead_id)).toEqual([
      [ben.id, 0],
      [cleo.id, 0],
      [dora.id, 1],
    ]);
  });

  it('just before the offer was stored', async () => {
    const { ben, cleo, lead_id } = await oneADay();
    await disable(ben, Date.now() - 10_000);
    await letRequestsEnd(lead_id);
    await sweep();
    expect((await turnsOf(lead_id)).at(1)).toEqual([cleo.id, 0]);
  });
});

describe('no turn is moved', () => {
  it('while another member can claim the lead', async () => {
    const { anna, ben, cleo, dora, team_id, lead_id } = await oneADay({ order_method: 'Time' });
    await service.rows('update lead_offers set notify_at = now() where lead_id = $1 and user_id = $2', [
      lead_id,
      cleo.id,
    ]);
    await removeOption(anna, team_id, ben);
    await sweep();
    expect(await turnsOf(lead_id)).toContainEqual([dora.id, 2]);
  });

  it('before the first turn of a team that orders by time', async () => {
    const [anna, ben] = [await person(), await person()];
    const members = [[ben, { mins_until_lead_offer: 1440 }] as const];
    const team_id = await rollouts.team(anna, members, { order_method: 'Time' });
    const lead_id = await rollouts.lead(anna, { team_id });
    await (await asNow(anna)).offers.send({ lead_id });
    await sweep();
    expect(await turnsOf(lead_id)).toEqual([[ben.id, 1]]);
  });

  it('from a member who was enabled again before the offer was made', async () => {
    const { ben, cleo, lead_id } = await oneADay();
    await service.deliver(userDisabled, { user_id: ben.id }, new Date(Date.now() - 120_000));
    await sweep();
    expect((await turnsOf(lead_id)).at(1)).toEqual([cleo.id, 1]);
    expect(await claim(ben, lead_id)).toMatchObject({ claimed_by_user_id: ben.id });
  });

  it('and no claim is undone, when the member who has claimed a lead is disabled', async () => {
    const { ben, lead_id } = await oneADay();
    await claim(ben, lead_id);
    await disable(ben);
    await sweep();
    const [lead] = await service.rows('select * from leads where id = $1', [lead_id]);
    expect(lead).toMatchObject({ claimed_by_user_id: ben.id, assigned_user_id: ben.id });
  });
});

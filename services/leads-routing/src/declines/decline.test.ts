import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';
import { returnUnclaimed } from '../offers/return-unclaimed.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, rollouts, alerts, turn, workerContext } = under;
const { person, asNow } = service;

const decline = async (user: User, id: number) => (await asNow(user)).leads.decline({ id });
const stored = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const minutesUntil = (at: Date) => Math.ceil((at.getTime() - Date.now()) / 60_000) + 0;

const runsOutAt = async (id: number) => Date.parse(String((await stored(id))?.runs_out_at));

/** A lead offered to Ben now, to Cleo in 20 minutes and to Dora in 40. */
async function offered() {
  const [anna, ben, cleo, dora] = [await person(), await person(), await person(), await person()];
  const members = [ben, cleo, dora].map((user) => [user, { has_email_alert: true }] as const);
  const team_id = await rollouts.team(anna, members, { mins_until_next_alert: 20 });
  const lead_id = await rollouts.lead(anna, { team_id });
  await (await asNow(anna)).offers.send({ lead_id });
  return { anna, ben, cleo, dora, lead_id };
}

describe('a declined lead', () => {
  it('is offered to the next member at once, and to later ones correspondingly earlier', async () => {
    const { ben, cleo, dora, lead_id } = await offered();
    const before = await runsOutAt(lead_id);
    const declined = await decline(ben, lead_id);
    expect(declined).toMatchObject({ user_id: ben.id, declined_at: expect.any(String) });
    const turns = await rollouts.offers(lead_id);
    expect(turns.map(({ user_id, notify_at }) => [user_id, minutesUntil(notify_at)])).toEqual([
      [ben.id, 0],
      [cleo.id, 0],
      [dora.id, 20],
    ]);
    const after = await runsOutAt(lead_id);
    expect(Math.round((before - after) / 60_000)).toBe(20);
    await turn();
    expect((await alerts(lead_id)).map(({ user_id, state }) => [user_id, state])).toEqual([
      [ben.id, 'Dropped'],
      [cleo.id, 'Done'],
      [dora.id, 'Waiting'],
    ]);
    const changed = (await service.published()).filter(({ type }) => type.includes('.offer.')).slice(-3);
    expect(changed.map(({ type }) => type.split('.').at(-1))).toEqual(['declined', 'changed', 'changed']);
  });

  it('leaves the other turns unchanged while another member has a turn', async () => {
    const { ben, cleo, dora, lead_id } = await offered();
    await service.rows('update lead_offers set notify_at = now() where lead_id = $1 and user_id = $2', [
      lead_id,
      cleo.id,
    ]);
    const before = await rollouts.offers(lead_id);
    await decline(ben, lead_id);
    expect(await rollouts.offers(lead_id)).toEqual(before);
    await decline(cleo, lead_id);
    const last = (await rollouts.offers(lead_id)).at(-1);
    expect([last?.user_id, last && minutesUntil(last.notify_at)]).toEqual([dora.id, 0]);
  });

  it('goes to its creator when everybody has declined it', async () => {
    const { anna, ben, cleo, dora, lead_id } = await offered();
    for (const user of [ben, cleo, dora]) await decline(user, lead_id);
    expect(await stored(lead_id)).toMatchObject({
      distribution_target: 'Myself',
      assigned_user_id: anna.id,
      fallback_reason: 'Nobody claimed it',
    });
  });

  it('stays with its creator if it went there meanwhile', async () => {
    const { anna, ben, cleo, dora, lead_id } = await offered();
    await service.rows('update lead_offers set notify_at = now() where lead_id = $1', [lead_id]);
    await service.rows("update leads set runs_out_at = now() - interval '1 second' where id = $1", [lead_id]);
    await returnUnclaimed(workerContext);
    const returned = await stored(lead_id);
    expect(returned).toMatchObject({ assigned_user_id: anna.id });
    for (const user of [ben, cleo, dora]) await decline(user, lead_id);
    expect(await stored(lead_id)).toEqual(returned);
  });

  it('is declined once, hidden from the member, and can no longer be claimed', async () => {
    const { ben, lead_id } = await offered();
    const first = await decline(ben, lead_id);
    expect(await decline(ben, lead_id)).toEqual(first);
    const api = await asNow(ben);
    await expect(api.leads.get({ id: lead_id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(api.leads.claim({ id: lead_id })).rejects.toMatchObject({ name: 'Conflict' });
    expect(await stored(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it.each([true, false])(
    'has one outcome if it is claimed at the same time (claim first: %s)',
    async (isClaimFirst) => {
      const { ben, lead_id } = await offered();
      const { leads } = await asNow(ben);
      const actions = [() => leads.claim({ id: lead_id }), () => leads.decline({ id: lead_id })];
      await inTurnOnLead<unknown>(service, lead_id, isClaimFirst ? actions : actions.toReversed());
      const [offer] = await service.rows(
        'select declined_at from lead_offers where lead_id = $1 and user_id = $2',
        [lead_id, ben.id],
      );
      const { claimed_by_user_id } = (await stored(lead_id)) ?? {};
      expect(claimed_by_user_id === ben.id).toBe(offer?.declined_at === null);
    },
  );
});

it('cannot be declined without an offer, before its turn, or after a claim', async () => {
  const { anna, ben, cleo, lead_id } = await offered();
  await expect(decline(anna, lead_id)).rejects.toMatchObject({
    name: 'Forbidden',
    message: 'The lead has not been offered to you.',
  });
  await expect(decline(await person(), lead_id)).rejects.toMatchObject({ name: 'NotFound' });
  await expect(decline(cleo, lead_id)).rejects.toMatchObject({ name: 'Forbidden' });
  await (await asNow(ben)).leads.claim({ id: lead_id });
  await expect(decline(ben, lead_id)).rejects.toMatchObject({
    name: 'Conflict',
    errors: { claimed_by_user_id: String(ben.id) },
  });
});

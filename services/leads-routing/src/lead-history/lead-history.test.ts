import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { rolloutsOf } from '../../test/rollout.ts';

const service = await leadsUnderTest();
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow } = service;

describe('the history of a lead', () => {
  it('shows users who see it who submitted, offered and claimed it', async () => {
    const [anna, ben, dora] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    await (await asNow(anna)).offers.send({ lead_id });
    await (await asNow(ben)).leads.claim({ id: lead_id });
    const { data } = await (await asNow(ben)).leadHistory.find({ lead_id });
    expect(data.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['leads.claim', ben.id],
      ['offers.send', anna.id],
      ['leads.create', anna.id],
    ]);
    const hidden = (await asNow(dora)).leadHistory.find({ lead_id });
    await expect(hidden).rejects.toMatchObject({ name: 'NotFound' });
  });
});

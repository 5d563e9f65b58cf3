import { setTimeout } from 'node:timers/promises';
import { campaignRemoved } from '@crm/events';
import { openTransaction, someone, withStoppedClock } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { action, call, enrolled, plan } from '../../test/plans.ts';
import { removeStoppedEverywhere } from './remove-stopped.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, turn, due, workerContext } = under;
const { enrolments } = service.asSystem;

/** Runs while another transaction has locked a communication. */
async function whileLocked<Result>(id: number, run: () => Promise<Result>): Promise<Result> {
  const lock = 'select from communications where id = $1 for update';
  await using _ = await openTransaction(service.database, lock, [id]);
  return await run();
}

describe('a stopped campaign', () => {
  it('sends nothing from then on, even while none of its rows can be removed', async () => {
    const [locked, other] = [await due('Text Contact'), await due('Text Contact')];
    const { campaign_id } = await locked.now();
    await whileLocked(locked.id, async () => {
      await service.rows('update communications set campaign_id = $1 where id = $2', [campaign_id, other.id]);
      await enrolments.stop({ campaign_id: Number(campaign_id) });
      await turn();
      expect(other.received().arrivals).toBe(0);
    });
    await turn();
    expect(locked.received().arrivals).toBe(0);
    await removeStoppedEverywhere(workerContext);
    const left = 'select from communications where campaign_id = $1 and is_active';
    expect(await service.rows(left, [campaign_id])).toEqual([]);
  });

  it('has nothing left once the stop has been answered, even if the worker began the removal before', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const { campaign_contact_id } = await enrolled(service, wanted);
    const ended = `enrolment_ends where what = 'campaign contact' and id = ${campaign_contact_id}`;
    await service.rows(
      "insert into enrolment_ends (what, id, ended_at) values ('campaign contact', $1, now())",
      [campaign_contact_id],
    );
    await using removing = await openTransaction(service.database, `select from ${ended} for update`);
    // It retries locked rows for half a second.
    const stopping = withStoppedClock(() => enrolments.stop({ campaign_contact_id }));
    await setTimeout(100);
    await removing.rollback();
    expect(await stopping).toEqual({ communications: 1, tasks: 1 });
    expect(await service.rows(`select from ${ended} and removed_at is null`)).toEqual([]);
  });

  it('whose removal is known only from its event sends nothing, and its rows are removed by a worker', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const { campaign_id } = wanted;
    for (let n = 0; n < 3; n++) await enrolled(service, wanted);
    await service.deliver(campaignRemoved, { campaign_id, owner_user_id: null });
    await service.rows(
      'update communications set send_at = now(), next_attempt_at = now() where campaign_id = $1',
      [campaign_id],
    );
    const sent = (await turn()).map(({ id }) => id);
    const states = await service.rows('select dispatch_state from communications where id = any($1)', [sent]);
    expect(states).toEqual(sent.map(() => ({ dispatch_state: 'Dropped' })));
    await removeStoppedEverywhere(workerContext);
    const left = await service.rows(
      `select dispatch_state from communications where campaign_id = $1 and is_active
       union all select status from tasks where campaign_contact_id in (
         select campaign_contact_id from enrolments where campaign_id = $1)`,
      [campaign_id],
    );
    expect(left).toEqual([]);
  });

  it('that cannot be removed is postponed with a reason in the log, and does not block another', async () => {
    const [broken, fine] = [plan(someone(), [call()]), plan(someone(), [call()])];
    const ids = [await enrolled(service, broken), await enrolled(service, fine)];
    await service.rows(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'cannot be removed'; end $$`,
    );
    await service.rows(
      `create trigger refuse before delete on tasks for each row
       when (old.campaign_contact_id = ${ids[0]?.campaign_contact_id}) execute function refuse()`,
    );
    for (const { campaign_id } of [broken, fine])
      await service.deliver(campaignRemoved, { campaign_id, owner_user_id: null });
    await removeStoppedEverywhere(workerContext);
    await service.rows('drop trigger refuse on tasks');
    const left = await service.rows('select campaign_id from enrolments where campaign_id = any($1)', [
      [broken.campaign_id, fine.campaign_id],
    ]);
    expect(left).toEqual([{ campaign_id: broken.campaign_id }]);
  });
});

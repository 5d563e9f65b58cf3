import type { User } from '@crm/auth';
import { teamMemberRemoved, teamRemoved } from '@crm/events';
import { joinTeam, openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { removeLateOptions } from './remove-late-options.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, workerContext } = under;
const { person, asNow, teamOf, leave, identity, deliver } = service;

const optionsOf = (team_id: number) =>
  service.rows('select user_id from distribution_options where team_id = $1', [team_id]);
/** A while later, as if all memberships had ended two minutes earlier. */
async function look() {
  await service.rows("update ended_memberships set ended_at = ended_at - interval '2 minutes'");
  await Promise.all([workerContext, workerContext, workerContext].map(removeLateOptions));
}
const left = (team_id: number, { id: user_id }: User, at = new Date()) =>
  deliver(teamMemberRemoved, { team_member_id: 1, team_id, user_id, request_status: 'Accepted' }, at);

/** Lets Ben leave a team of Anna while her request that gives him an option waits for a lock. */
async function leftMeanwhile(request: 'POST' | 'PATCH') {
  const [anna, ben] = [await person(), await person()];
  const team_id = await teamOf(anna, [ben]);
  const { create, patch } = (await asNow(anna)).distributionOptions;
  const draft = { team_id, assign_automatically: false };
  const own = request === 'PATCH' ? await create({ ...draft, user_id: anna.id }) : undefined;
  await using held = await openTransaction(service.database, 'lock table distribution_options in share mode');
  const asked = own ? patch({ id: own.id, user_id: ben.id }) : create({ ...draft, user_id: ben.id });
  await untilWaiting(service.rows, [asked]);
  await leave(team_id, ben);
  await left(team_id, ben);
  await held.commit();
  await asked;
  return { anna, ben, team_id };
}

describe('a distribution option that a request gives to a member who leaves meanwhile', () => {
  it.each(['POST', 'PATCH'] as const)(
    'is removed a minute later, with its event, after a %s',
    async (request) => {
      const { ben, team_id } = await leftMeanwhile(request);
      await removeLateOptions(workerContext);
      expect(await optionsOf(team_id)).toEqual([{ user_id: ben.id }]);
      await look();
      expect(await optionsOf(team_id)).toEqual([]);
      const removed = (await service.published()).filter(
        ({ type, data }) => type.endsWith('distribution-option.removed') && data.team_id === team_id,
      );
      expect(removed.map(({ data }) => data.user_id)).toEqual([ben.id]);
      expect(await service.rows('select from ended_memberships')).toEqual([]);
    },
  );

  it('stays if the member has come back', async () => {
    const { ben, team_id } = await leftMeanwhile('POST');
    await joinTeam(identity, team_id, ben);
    await look();
    expect(await optionsOf(team_id)).toEqual([{ user_id: ben.id }]);
  });

  it('is removed if the team was removed', async () => {
    const [anna, ben] = [await person(), await person()];
    const team_id = await teamOf(anna, [ben]);
    const { create } = (await asNow(anna)).distributionOptions;
    await create({ team_id, user_id: ben.id, assign_automatically: false });
    await identity.as(anna).teams.remove({ id: team_id });
    const facts = { is_contact_resource_sharing_enabled: false, order_method: 'Time' } as const;
    await deliver(teamRemoved, { team_id, creator_user_id: anna.id, ...facts }, new Date(Date.now() - 5_000));
    expect(await optionsOf(team_id)).toHaveLength(1);
    await look();
    expect(await optionsOf(team_id)).toEqual([]);
  });
});

it('a distribution option is kept if it moved to a member after the member had left and come back', async () => {
  const [anna, ben] = [await person(), await person()];
  const team_id = await teamOf(anna, [ben]);
  const { create, patch } = (await asNow(anna)).distributionOptions;
  const { id } = await create({ team_id, user_id: anna.id, assign_automatically: false });
  await service.rows("update distribution_options set created_at = now() - interval '1 hour' where id = $1", [
    id,
  ]);
  await patch({ id, user_id: ben.id });
  await left(team_id, ben, new Date(Date.now() - 60_000));
  expect(await optionsOf(team_id)).toEqual([{ user_id: ben.id }]);
});

import type { User } from '@crm/auth';
import { agentOf, joinTeam } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dripsIn } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
const { contactOf } = dripsIn(service);
const soon = { timing_type: 'Delay by Minutes', delay_by_seconds: 3600 } as const;

/** Anna, with a campaign that assigns a task and a text to a teammate, Ben. */
async function teamOfTwo() {
  const [anna, ben] = [await service.person(), await service.person()];
  const { id: team_id } = await service.identity.as(anna).teams.create({ name: 'Two' });
  await joinTeam(service.identity, team_id, ben);
  const campaign_id = await campaignAssignedTo(ben, await service.now(anna));
  return { anna, ben, team_id, campaign_id };
}

async function campaignAssignedTo({ id }: User, owner: User) {
  const { campaigns, campaignActions } = service.as(owner);
  const campaign = await campaigns.create({ name: 'Follow up', is_broker_sharing_on: true });
  const draft = { campaign_id: campaign.id, assigned_user_id: id, ...soon };
  await campaignActions.create({ ...draft, type: 'Agent Task - Email Reminder', notes: 'Divorcing' });
  await campaignActions.create({ ...draft, type: 'Text Contact' });
  return campaign.id;
}

/** The assignees of the tasks and the senders of the messages: those of a preview, and those of what is then scheduled. */
async function assigneesFor(user: User, campaign_id: number) {
  const contact_id = await contactOf(user);
  const preview = await service.as(user).campaigns.preview({ id: campaign_id, contact_id });
  await service.as(user).campaignContacts.create({ campaign_id, contact_id });
  const { tasks, communications } = service.scheduling.as(user);
  const idsIn = (found: readonly { assigned_user_id: number | null }[]) =>
    found.map(({ assigned_user_id }) => assigned_user_id);
  const sendersIn = (found: readonly { send_from_user_id: number | null }[]) =>
    found.map(({ send_from_user_id }) => send_from_user_id);
  return {
    previewed: [...idsIn(preview.tasks), ...sendersIn(preview.communications)],
    scheduled: [
      ...idsIn((await tasks.find({ contact_id })).data),
      ...sendersIn((await communications.find({ contact_id })).data),
    ],
  };
}

const both = (...ids: number[]) => ({ previewed: ids, scheduled: ids });

describe('the task of an action with an assignee', () => {
  it('is done by the assignee as long as the user who adds the contact works with the assignee', async () => {
    const { anna, ben, campaign_id } = await teamOfTwo();
    expect(await assigneesFor(await service.now(anna), campaign_id)).toEqual(both(ben.id, ben.id));
  });

  it('is done by the user who adds the contact if the assignee has left the team, and is not shown to the assignee', async () => {
    const { anna, ben, team_id, campaign_id } = await teamOfTwo();
    await service.identity.asSystem.teamMembers.remove({ team_id, user_id: ben.id });
    expect(await assigneesFor(await service.now(anna), campaign_id)).toEqual(both(anna.id, ben.id));
    expect((await service.scheduling.as(await service.now(ben)).tasks.find({})).total).toBe(0);
  });

  it("is done by the sub-account who adds the contact to its broker's campaign if the assignee is only in the broker's team", async () => {
    const { anna, ben, campaign_id } = await teamOfTwo();
    const agent = { ...(await service.person()), broker: agentOf(anna).broker };
    expect(await assigneesFor(agent, campaign_id)).toEqual(both(agent.id, ben.id));
    expect((await service.scheduling.as(await service.now(ben)).tasks.find({})).total).toBe(0);
  });

  it('is done by the broker if the action names the broker, for a sub-account as well', async () => {
    const broker = await service.person();
    const campaign_id = await campaignAssignedTo(broker, broker);
    const agent = { ...(await service.person()), broker: agentOf(broker).broker };
    expect(await assigneesFor(agent, campaign_id)).toEqual(both(broker.id, broker.id));
  });

  it("is done by the user who adds the contact if the assignee's account is disabled", async () => {
    const { anna, ben, campaign_id } = await teamOfTwo();
    await service.identity.asSystem.users.disable({ user: ben.id });
    expect(await assigneesFor(await service.now(anna), campaign_id)).toEqual(both(anna.id, ben.id));
  });
});

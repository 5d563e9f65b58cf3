import type { Client } from '@crm/client';
import type { identityApi } from '@crm/identity/api';
import type { DemoPerson } from './demo-file.ts';
import { type Rest, restAs } from './rest.ts';

/**
 * Turns the users into an office: the agents can use the broker's hotnesses, and all are in one team that shares contacts.
 * Existing records are kept, so that an interrupted seeding can be resumed.
 */
export async function addOffice(
  gateway: string,
  identity: Client<typeof identityApi>,
  [broker, ...agents]: readonly DemoPerson[],
): Promise<void> {
  if (!broker) return;
  const asBroker = restAs(gateway, broker.token);
  const team = await asBroker.create(
    '/teams',
    { name: 'Portland office', is_contact_resource_sharing_enabled: true, mins_until_next_alert: 5 },
    'demo-team',
  );
  for (const agent of agents) {
    const asAgent = restAs(gateway, agent.token);
    const user_id = await idOf(asAgent);
    const known = await asBroker.list(`/sub-accounts?user_id=${user_id}&$limit=0`);
    if (known.total === 0) {
      await identity.subAccounts.consent({ broker: broker.email, user: user_id });
      const subAccount = { user_id, user_can_see_broker_hotnesses: true, is_custom_fields_enabled: true };
      await asBroker.create('/sub-accounts', subAccount, `demo-sub-account-${user_id}`);
    }
    const member = await identity.teamMembers.invite({ team_id: Number(team.id), user_id });
    await asAgent.patch(`/team-members/${member.id}`, { request_status: 'Accepted' });
  }
}

async function idOf(rest: Rest): Promise<number> {
  return Number((await rest.get('/me')).id);
}

import type { Client } from '@crm/client';
import type { identityApi } from '@crm/identity/api';
import type { Report } from '../command-line.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { findUser } from './find-user.ts';

export interface Membership {
  readonly team: string;
  readonly user: string;
}

export async function inviteToTeam(env: NodeJS.ProcessEnv, membership: Membership): Promise<Report> {
  const member = await askIdentity(env, async (identity) =>
    identity.teamMembers.invite(await idsOf(identity, membership)),
  );
  const { id, request_status, team, user } = member;
  return {
    json: member,
    text: `${user.email} is invited to ${team.name} (member ${id}, ${request_status}).`,
  };
}

export async function removeFromTeam(env: NodeJS.ProcessEnv, membership: Membership): Promise<Report> {
  const member = await askIdentity(env, async (identity) =>
    identity.teamMembers.remove(await idsOf(identity, membership)),
  );
  return { json: member, text: `${member.user.email} is no longer in ${member.team.name}.` };
}

async function idsOf(identity: Client<typeof identityApi>, { team, user }: Membership) {
  return { team_id: team, user_id: (await findUser(identity, user)).id };
}

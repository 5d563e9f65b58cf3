import { objectOf, readModel } from '@crm/data';
import { inAnyCase } from '@crm/query';
import { teamRows } from '../teams/team.queries.ts';
import { phoneEquals, username, userRows } from '../users/user.queries.ts';
import { TeamMemberView } from './team-member.api.ts';
import { visibleTeamMembers } from './team-member.policy.ts';

const of = (field: string) => `(select users.${field} from users where users.id = team_members.user_id)`;
const usernameOfMember = `(select ${username} from users where users.id = team_members.user_id)`;
const ofTeam = (field: string) => `(select teams.${field} from teams where teams.id = team_members.team_id)`;

export const teamMemberRows = readModel(TeamMemberView, {
  table: 'team_members',
  visible: visibleTeamMembers,
  nested: {
    team: objectOf(teamRows, 'teams.id = team_members.team_id', ['id', 'name']),
    user: objectOf(userRows, 'users.id = team_members.user_id', Object.keys(TeamMemberView.shape.user.shape)),
  },
  hidden: {
    user_id: { kind: 'integer', sql: 'team_members.user_id' },
    team_id: { kind: 'integer', sql: 'team_members.team_id' },
    'team.id': { kind: 'integer', sql: 'team_members.team_id' },
    'team.name': { kind: 'text', sql: ofTeam('name') },
    'user.id': { kind: 'integer', sql: 'team_members.user_id' },
    'user.first_name': { kind: 'text', sql: of('first_name') },
    'user.last_name': { kind: 'text', sql: of('last_name') },
    'user.email': { kind: 'text', sql: of('email'), equals: inAnyCase(of('email')) },
    'user.username': { kind: 'text', sql: usernameOfMember },
    'user.phone': { kind: 'text', sql: of('phone'), equals: phoneEquals(of('phone')) },
  },
});

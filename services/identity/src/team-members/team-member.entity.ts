import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleTeamMembers } from './team-member.policy.ts';

const TeamMemberSchema = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    team_id: p.integer(),
    user_id: p.integer(),
    request_status: p.string(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleTeamMembers),
});

/** The membership of a user in a team, starting with the invitation. */
export class TeamMember extends TeamMemberSchema.class {}
TeamMemberSchema.setClass(TeamMember);

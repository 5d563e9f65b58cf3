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

/** A user's place in a team, from the invitation on. */
export class TeamMember extends TeamMemberSchema.class {}
TeamMemberSchema.setClass(TeamMember);

import { noRecord } from '@crm/contract';
import { teamMemberInvited, teamMemberRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import {
  answerWith,
  type Context,
  demand,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { noteEvent } from '../security-events/note-event.ts';
import { Team } from '../teams/team.entity.ts';
import { User } from '../users/user.entity.ts';
import { answerInvitation } from './answer-invitation.ts';
import { teamMemberApi } from './team-member.api.ts';
import { TeamMember } from './team-member.entity.ts';
import { mayAnswerInvitation, onlyInvitedAnswers } from './team-member.policy.ts';
import { teamMemberRows } from './team-member.queries.ts';
import { eventData } from './team-member-event-data.ts';

interface Membership {
  readonly team_id: number;
  readonly user_id: number;
}

export const teamMemberHandlers = implement(teamMemberApi, {
  find: (ctx, input) => findPage(ctx, teamMemberRows, input),

  get: (ctx, input) => getRecord(ctx, teamMemberRows, input),

  patch: async (ctx, { id, $where, request_status }) => {
    const member = await loadForChange(ctx, TeamMember, teamMemberRows, { id, $where });
    demand(mayAnswerInvitation(ctx.user, member), onlyInvitedAnswers);
    await answerInvitation(ctx, member, request_status);
    return answerWith(ctx, teamMemberRows, id);
  },

  invite: async (ctx, { team_id, user_id }) => {
    // The second of two concurrent invitations waits here and then finds the first.
    const team = await ctx.em.findOne(Team, team_id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!team) throw noRecord(team_id);
    if (!(await ctx.em.findOne(User, { id: user_id, disabled_at: null }))) throw noRecord(user_id);
    const known = await lockMember(ctx, { team_id, user_id });
    if (known) return answerWith(ctx, teamMemberRows, known.id);
    const stamps = { created_at: ctx.now(), modified_at: ctx.now() };
    const member = ctx.em.create(TeamMember, { team_id, user_id, request_status: 'Pending', ...stamps });
    await ctx.em.flush();
    publish(ctx, teamMemberInvited, member, eventData(member));
    const event = { userId: user_id, kind: 'invited to a team', origin: undefined } as const;
    await noteEvent(ctx.query, { ...event, teamMemberId: member.id });
    return answerWith(ctx, teamMemberRows, member.id);
  },

  remove: async (ctx, membership) => {
    const member = await lockMember(ctx, membership);
    if (!member) throw noRecord(membership.user_id);
    const removed = await answerWith(ctx, teamMemberRows, member.id);
    ctx.em.remove(member);
    publish(ctx, teamMemberRemoved, removalOf(member), eventData(member));
    return removed;
  },
});

function lockMember({ em }: Context, { team_id, user_id }: Membership) {
  return em.findOne(TeamMember, { team_id, user_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

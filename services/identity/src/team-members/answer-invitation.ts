import { teamMemberAnswered } from '@crm/events';
import type { Context } from '@crm/service';
import { publishFor } from '../publish-for.ts';
import type { TeamMember } from './team-member.entity.ts';
import { eventData } from './team-member-event-data.ts';

type Answer = 'Accepted' | 'Pending' | 'Declined';

/** Records the answer of the invited user in a locked membership. */
export async function answerInvitation(
  ctx: Context,
  member: TeamMember,
  request_status: Answer,
): Promise<void> {
  ctx.em.assign(member, { request_status, modified_at: ctx.now() });
  await ctx.em.flush();
  publishFor(ctx, member.user_id, teamMemberAnswered, member, eventData(member));
}

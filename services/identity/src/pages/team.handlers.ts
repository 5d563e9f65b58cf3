import { noRecord, type WebAnswer } from '@crm/contract';
import { implement } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { answerInvitation } from '../team-members/answer-invitation.ts';
import { TeamMember } from '../team-members/team-member.entity.ts';
import { goTo } from './page.ts';
import { idIn, paths } from './paths.ts';
import { teamPageApi } from './team.api.ts';
import { teamsPage } from './team.page.ts';
import { acting, orMissing, showing, type Visit } from './visit.ts';

export const teamPageHandlers = (publicUrl: string) =>
  implement(teamPageApi, {
    list: showing(paths.teams, teamsPage),
    answer: acting(publicUrl, ({ params }) => paths.teamAnswer(params.member_id ?? ''), orMissing(answer)),
  });

/** The buttons of the form. */
const answers: Readonly<Record<string, 'Accepted' | 'Declined'>> = {
  accept: 'Accepted',
  decline: 'Declined',
};

async function answer(visit: Visit): Promise<WebAnswer> {
  const { ctx, user, request, fields } = visit;
  const id = idIn(request, 'member_id');
  // The default filter needs the user of an access token, and a visitor has none.
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, filters: false } as const;
  const member = await ctx.em.findOne(TeamMember, { id, user_id: user.id }, locked);
  if (!member) throw noRecord(id);
  const request_status = answers[fields.get('answer') ?? ''];
  if (!request_status)
    return teamsPage(visit, { status: 422, title: 'Nothing was changed. Please accept or decline.' });
  await answerInvitation(ctx, member, request_status);
  return goTo(paths.teams);
}

import {
  choice,
  find,
  forbidden,
  forOperator,
  id,
  internal,
  notFound,
  operation,
  pageOf,
  record,
} from '@crm/contract';
import { z } from 'zod';
import { TeamView } from '../teams/team.api.ts';
import { UserView } from '../users/user.api.ts';

export const TeamMemberView = z.object({
  id,
  request_status: choice('Accepted', 'Pending', 'Declined'),
  team: TeamView.pick({ id: true, name: true }),
  user: UserView.pick({
    id: true,
    first_name: true,
    last_name: true,
    email: true,
    username: true,
    phone: true,
  }),
});

/** A single member can be read with the same conditions as the list. */
const filters = { dotted: true } as const;

const membership = z.object({ team_id: id, user_id: id });

export const teamMemberApi = {
  find: operation({
    rest: 'GET /team-members',
    summary: 'List the members of your teams; of a team you have not joined, only yourself',
    input: find(TeamMemberView, filters),
    output: pageOf(TeamMemberView),
  }),
  get: operation({
    rest: 'GET /team-members/:id',
    summary: 'Read a team member',
    input: record(TeamMemberView, { id }, filters),
    output: TeamMemberView,
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /team-members/:id',
    personal: true,
    summary: 'Accept or decline an invitation, or change your answer; only for yourself',
    input: record(TeamMemberView, { id, request_status: TeamMemberView.shape.request_status }, filters),
    output: TeamMemberView,
    refuses: [notFound, forbidden],
  }),
  invite: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Invite a user to a team; an existing invitation or membership stays unchanged',
    input: membership,
    output: TeamMemberView,
    refuses: [notFound],
  }),
  remove: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Remove a user from a team, or withdraw an invitation',
    input: membership,
    output: TeamMemberView,
    refuses: [notFound],
  }),
};

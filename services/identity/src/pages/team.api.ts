import { page } from '@crm/contract';

export const teamPageApi = {
  list: page({
    rest: 'GET /account/teams',
    kind: 'mutation',
    summary: 'Show the teams of the user, and the invitations to teams',
  }),
  answer: page({
    rest: 'POST /account/teams/:member_id/answer',
    kind: 'mutation',
    summary: 'Accept or decline an invitation to a team, or leave the team',
  }),
};

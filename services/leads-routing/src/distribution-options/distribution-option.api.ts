import {
  find,
  flag,
  forbidden,
  id,
  integer,
  integerFrom,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
} from '@crm/contract';
import { z } from 'zod';

const line = z.string().nullable();

export const DistributionOptionView = z.object({
  id,
  team_id: id.describe('A team that the caller has created'),
  team: z.object({ id, name: z.string() }).nullable(),
  user_id: id.describe('An accepted member of the team, or its creator'),
  user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
  rank: integer.describe('In teams that order by rank, the lowest rank is offered a lead first'),
  mins_until_lead_offer: integerFrom(0).describe('In teams that order by time; 0 in other teams'),
  assign_automatically: flag.describe(
    'Assigns the lead to the member without a claim, unless it has been claimed before',
  ),
  has_call_alert: flag,
  has_text_alert: flag,
  has_email_alert: flag,
});

const required = { team_id: true, user_id: true, assign_automatically: true } as const;
const draft = DistributionOptionView.omit({ id: true, team: true, user: true });

export const memberHasOption = refusal('Conflict', 'This member already has an option in this team.', {
  reason: 'member_has_option',
  when: 'A second distribution option is added for a team member.',
  fix: 'Change the existing one: `GET /team-member-distribution-options?user_id=…`.',
  example: 'POST /team-member-distribution-options\n\n{ "team_id": 4001, "user_id": 4002 }',
  given: 'the member has an option in this team',
});

export const distributionOptionApi = {
  find: operation({
    rest: 'GET /team-member-distribution-options',
    summary: 'List how the teams of the caller distribute their leads',
    input: find(DistributionOptionView),
    output: pageOf(DistributionOptionView),
  }),
  get: operation({
    rest: 'GET /team-member-distribution-options/:id',
    summary: 'Read a distribution option',
    input: record(DistributionOptionView, { id }),
    output: DistributionOptionView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /team-member-distribution-options',
    summary: 'Add a distribution option, so that a member of the team is offered its leads',
    input: draft.partial().extend(draft.pick(required).shape),
    output: DistributionOptionView,
    refuses: [forbidden, memberHasOption],
  }),
  patch: operation({
    rest: 'PATCH /team-member-distribution-options/:id',
    summary: 'Change a distribution option (creator of the team only)',
    input: record(DistributionOptionView, { id, ...draft.partial().shape }),
    output: DistributionOptionView,
    refuses: [notFound, forbidden, memberHasOption],
  }),
  remove: operation({
    rest: 'DELETE /team-member-distribution-options/:id',
    summary: 'Remove a distribution option (creator of the team only)',
    input: record(DistributionOptionView, { id }),
    output: DistributionOptionView,
    refuses: [notFound, forbidden],
  }),
};

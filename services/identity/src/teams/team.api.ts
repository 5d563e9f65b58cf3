import {
  choice,
  find,
  flag,
  forbidden,
  id,
  ids,
  instant,
  integerFrom,
  internal,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';

/** A zip code of the United States, with or without the four-digit extension, or a postal code of Canada. */
const zipCode = String.raw`(\d{5}(-\d{4})?|[A-Za-z]\d[A-Za-z] ?\d[A-Za-z]\d)`;

/** The size of the column, enough for 660 zip codes of five digits. */
const maxZipCodesLength = 4000;

/** Removes commas and spaces that forms and joined lists leave at the ends. An empty text means none. */
const withoutEnds = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/^[ ,]+|[ ,]+$/g, '') || null : value;

export const TeamView = z.object({
  id,
  name: text(255)
    .min(1, { error: 'must not be empty' })
    .meta({ examples: ['North'] }),
  is_contact_resource_sharing_enabled: flag.describe("Members see each other's contacts and calendars"),
  order_method: choice('Rank', 'Time').describe('The order in which members are offered a lead'),
  mins_until_next_alert: integerFrom(0).describe(
    'Minutes until an unclaimed lead is offered to the next member; 0 with `Time`',
  ),
  distribution_zipcodes: z
    .preprocess(
      withoutEnds,
      text(maxZipCodesLength)
        .regex(new RegExp(`^${zipCode}( ?, ?${zipCode})*$`), {
          error: 'must be zip codes joined by commas, such as 98101,98112',
        })
        .nullable(),
    )
    .describe('Joined by commas'),
});

/** The facts about a team that other services need. */
export const TeamFacts = TeamView.extend({
  creator_user_id: id,
  created_at: instant,
  accepted_user_ids: z
    .array(id)
    .describe(
      'Accepted members whose accounts are enabled; empty while the account of the creator is disabled',
    ),
});

const draft = TeamView.omit({ id: true }).partial().required({ name: true });

export const teamApi = {
  find: operation({
    rest: 'GET /teams',
    summary: 'List the teams you have created or joined',
    input: find(TeamView),
    output: pageOf(TeamView),
  }),
  get: operation({
    rest: 'GET /teams/:id',
    summary: 'Read a team',
    input: record(TeamView, { id }),
    output: TeamView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /teams',
    summary: 'Create a team with yourself as its first member',
    input: draft,
    output: TeamView,
  }),
  patch: operation({
    rest: 'PATCH /teams/:id',
    personal: true,
    summary: 'Change a team; only its creator can',
    input: record(TeamView, { id, ...draft.partial().shape }),
    output: TeamView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /teams/:id',
    personal: true,
    summary: 'Remove a team with its members and distribution options; only its creator can',
    input: record(TeamView, { id }),
    output: TeamView,
    refuses: [notFound, forbidden],
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'List the teams with these ids, in the order of the ids; unknown ones are left out',
    input: z.object({ ids }),
    output: z.array(TeamFacts),
  }),
  createdBy: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'List all teams that a user has created, oldest first',
    input: z.object({ user_id: id }),
    output: z.array(TeamFacts),
  }),
};

import { brokerSwitches, eachSwitch, id, ids, internal, text, tokenInvalid } from '@crm/contract';
import { z } from 'zod';

const Switches = z.object(eachSwitch(brokerSwitches, z.boolean()));

const UserView = z.object({
  id,
  timezone: z.string(),
  scopes: z.array(z.enum(['read', 'write'])).readonly(),
  // Instances of an older version do not send these fields.
  act: z.object({ id, delegation_id: id }).nullable().default(null),
  access: z
    .object({ token_id: id, client_id: z.string().nullable(), address: z.string().nullable() })
    .nullable()
    .default(null),
  is_broker: z.boolean(),
  broker: z.object({ id, switches: Switches }).nullable(),
  sub_account_user_ids: z.array(id).readonly(),
  team_ids: z.array(id).readonly(),
  teammate_ids: z.array(id).readonly(),
  sharing_teammate_ids: z.array(id).readonly(),
});

const ActorView = z.union([z.object({ system: z.literal(true), caller: z.string().optional() }), UserView]);

const admission = z.object({
  token: z.string(),
  audience: text(64),
  /** Where the request came from. */
  address: z.string().nullable().default(null),
});

const admitted = z.object({
  internal_token: z.string(),
  /** The user of the token; null for the system. */
  user_id: id.nullable(),
  /** The account whose requests are counted together: the user or, if a broker acts as the user, the broker. */
  account_id: id.nullable(),
  /** The version of all rights. The actor of a token stays the same while this does. */
  rights: z.string(),
});

export const actorApi = {
  resolve: internal({
    kind: 'query',
    for: 'anyone',
    summary: "Resolve an access token to its user and everybody the user's rights depend on",
    input: z.object({ token: z.string() }),
    output: ActorView,
    refuses: [tokenInvalid],
  }),
  admit: internal({
    kind: 'query',
    for: 'system',
    callers: ['gateway'],
    summary: 'Exchange an access token for an internal token that is valid for one service and 30 seconds',
    input: admission,
    output: admitted,
    refuses: [tokenInvalid],
  }),
  admitTogether: internal({
    kind: 'query',
    for: 'system',
    callers: ['gateway'],
    summary:
      'Exchange the access tokens of several requests at once, with null for each token that is not valid',
    input: z.object({ requests: z.array(admission).max(1000) }),
    output: z.array(admitted.nullable()),
  }),
  ofUsers: internal({
    kind: 'query',
    for: 'system',
    callers: ['contacts', 'scheduling', 'leads-routing'],
    summary: 'The read rights of users, for work done later on their behalf; disabled users are left out',
    input: z.object({ ids }),
    output: z.array(UserView),
  }),
  standingDelegations: internal({
    kind: 'query',
    for: 'system',
    callers: ['contacts', 'scheduling', 'leads-routing'],
    summary:
      'Which of these delegations belong to a broker who may act for their user now, under the same or a later delegation',
    input: z.object({ ids }),
    output: z.array(
      // Instances of an older version return only active delegations, without this field.
      z.object({ id, active_id: id.optional().describe('The delegation that is active now') }),
    ),
  }),
  actedFor: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'The users for whom a broker may act now',
    input: z.object({ broker_user_id: id }),
    output: z.array(id),
  }),
  lend: internal({
    kind: 'query',
    for: 'system',
    callers: ['gateway', 'contacts', 'scheduling', 'campaigns-templates', 'leads-routing'],
    summary:
      'Exchange the token of a user who calls a service for one with which the service calls another; without a token, sign one for the service itself',
    input: z.object({ token: z.string().optional(), audience: text(64) }),
    output: z.object({ internal_token: z.string() }),
    refuses: [tokenInvalid],
  }),
};

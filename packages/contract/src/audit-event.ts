import { z } from 'zod';
import { choice, id, instant } from './fields.ts';
import { pageOf } from './find.ts';
import { internal } from './operation.ts';
import type { Condition } from './read-field.ts';
import type { Find } from './read-find.ts';

const name = z.string();

/** One action in the audit log: ids, and no other personal data. */
export const AuditEventView = z.object({
  id: name
    .describe('Unique among the events of all services')
    .meta({ examples: ['019539f2-8d5c-7b3e-9c1a-4f0d2e6b7a81'] }),
  created_at: instant.describe('When it was done, in UTC'),
  service: name.describe('The service that did it, such as "contacts"').meta({ examples: ['contacts'] }),
  action: name
    .describe(
      'The operation, such as "contacts.patch", or the event that a service published on its own, such as "scheduling.communication.dispatched"',
    )
    .meta({ examples: ['contacts.patch'] }),
  actor_type: choice('user', 'broker', 'operator', 'system', 'visitor').describe(
    'Who did it: the user; a broker who acted for the user; the operator of the system; the system, for what it does later or on its own; or a visitor without an account, such as a provider that reports a delivery',
  ),
  user_id: id
    .nullable()
    .describe('The user who did it or on whose behalf it was done; for others, the user concerned'),
  act_user_id: id.nullable().describe('The broker who acted for the user'),
  client_id: name.nullable().describe('The OAuth client of the access token'),
  token_id: id.nullable().describe('The id of the access token, which is not the token itself'),
  address: name
    .nullable()
    .describe('The network address of the client; null for what the system did')
    .meta({ examples: ['203.0.113.7'] }),
  request_id: name.describe('The id of the request, as in its response header X-Request-Id'),
  record_type: name
    .nullable()
    .describe('The kind of record, such as "contact" or "static-list"; null if it is about no single record'),
  record_id: id.nullable().describe('The id of the record, which may no longer exist'),
});
export type AuditEvent = z.output<typeof AuditEventView>;

/** An action on one record, for everybody who sees the record: without the client's address and token. */
export const HistoryView = AuditEventView.pick({
  id: true,
  created_at: true,
  action: true,
  actor_type: true,
  user_id: true,
  act_user_id: true,
  request_id: true,
});

/** The order of the log: newest first. */
export const auditOrder = [['created_at', -1]] as const;

const fields = Object.keys(AuditEventView.shape) as (keyof AuditEvent)[];
const field = z.enum(fields);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const condition: z.ZodType<Condition, Condition> = z.lazy(() =>
  z.union([
    z.object({ field, op: z.enum(['$in', '$nin']), value: z.array(scalar) }),
    z.object({ field, op: z.enum(['$ne', '$lt', '$lte', '$gt', '$gte', '$like']), value: scalar }),
    z.object({ any: z.array(z.array(condition)) }),
  ]),
);

type Sort = Find['sort'];
const sort: z.ZodType<Sort, Sort> = z.array(z.tuple([field, z.union([z.literal(1), z.literal(-1)])]));

/** A request could not merge more than this many events of each service. */
export const maxAuditEvents = 10_000;

/** A service's part of the audit log, for the service that merges all parts. */
export const auditEventApi = {
  search: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing', 'operator'],
    summary: "The first events of this service's audit log that meet the conditions, in the given order",
    input: z.object({
      where: z.array(condition),
      sort,
      limit: z.int().min(0).max(maxAuditEvents),
    }),
    output: pageOf(AuditEventView),
  }),
};

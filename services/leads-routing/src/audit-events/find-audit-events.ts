import {
  type AuditEvent,
  auditOrder,
  type Condition,
  type Find,
  maxAuditEvents,
  mergePages,
  wrong,
} from '@crm/contract';
import { type Context, findAuditPart } from '@crm/service';
import { campaignsTemplates, contacts, identity, scheduling } from '../peers.ts';
import { usersAuditedFor } from './audit-event.policy.ts';

const peers = [identity, contacts, scheduling, campaignsTemplates];

interface Part {
  readonly total: number;
  readonly data: readonly AuditEvent[];
}

/**
 * Asks each service for its first events and merges them, so that whoever has changed something finds it at once.
 * Throws BadRequest for a page so far from the beginning that too many events would have to be merged.
 */
export async function findAuditEvents(ctx: Context, find: Find) {
  const visible: Condition = { field: 'user_id', op: '$in', value: usersAuditedFor(ctx.user) };
  const sort = find.sort.length > 0 ? find.sort : auditOrder;
  const last = find.limit === 0 ? 0 : find.skip + find.limit;
  const isTooFar = last > maxAuditEvents;
  const asked = { where: [visible, ...find.where], sort, limit: isTooFar ? 0 : last };
  const parts = await Promise.all([
    ownPart(ctx, asked),
    ...peers.map((peer): Promise<Part> => peer.asSystem(ctx).auditEvents.search(asked)),
  ]);
  const page = mergePages(parts, { ...find, sort });
  if (!isTooFar || find.skip >= page.total) return page;
  throw wrong('$skip', `must be at most ${maxAuditEvents - find.limit}; filter by created_at instead`);
}

async function ownPart({ query }: Context, asked: Parameters<typeof findAuditPart>[2]): Promise<Part> {
  const { text } = await findAuditPart(query, 'leads-routing', asked);
  return JSON.parse(text) as Part;
}

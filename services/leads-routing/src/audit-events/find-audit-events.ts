import {
  type AuditEvent,
  auditOrder,
  type Condition,
  decisive,
  type Find,
  invalidField,
  maxAuditEvents,
  mergePages,
} from '@crm/contract';
import { type Context, findAuditPart } from '@crm/service';
import { campaignsTemplates, contacts, identity, scheduling } from '../peers.ts';
import { usersAuditedFor } from './audit-event.policy.ts';
import { walkFrom } from './walk-audit-events.ts';

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
  // With the id, so that services of different versions have the same order.
  const sort = decisive(find.sort.length > 0 ? find.sort : auditOrder);
  const walk = walkFrom(sort, find.after);
  // With the event behind the page, which says that there is one.
  const more = find.after === undefined ? 0 : 1;
  const last = find.limit === 0 ? 0 : find.skip + find.limit + more;
  const isTooFar = last > maxAuditEvents;
  const where = [visible, ...find.where, ...walk.conditions];
  const asked = { where, sort, limit: isTooFar ? 0 : last };
  const parts = await Promise.all([
    ownPart(ctx, asked),
    ...peers.map((peer): Promise<Part> => peer.asSystem(ctx).auditEvents.search(asked)),
  ]);
  const page = mergePages(parts, { ...find, sort });
  if (isTooFar && find.skip < page.total)
    throw invalidField(
      '$skip',
      `must be at most ${maxAuditEvents - find.limit}; filter by created_at instead`,
    );
  if (find.after === undefined) return page;
  const { total = page.total } = walk;
  const ahead = mergePages(parts, { ...find, sort, limit: find.limit + more, select: undefined }).data;
  const end = ahead.length > find.limit ? ahead[find.limit - 1] : undefined;
  return { ...page, total, next: end ? walk.cursorAt(end, total) : null };
}

async function ownPart({ query }: Context, asked: Parameters<typeof findAuditPart>[2]): Promise<Part> {
  const { text } = await findAuditPart(query, 'leads-routing', asked);
  return JSON.parse(text) as Part;
}

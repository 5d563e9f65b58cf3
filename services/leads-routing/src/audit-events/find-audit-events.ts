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
import { walkFrom } from './walk-audit-events.ts';

const peers = [identity, contacts, scheduling, campaignsTemplates];

interface Part {
  readonly total: number;
  readonly data: readonly AuditEvent[];
}

/**
 * Fetches the first events of each service and merges them, so that users find their own changes at once. Throws
 * BadRequest for a page so far from the beginning that too many events would have to be merged.
 */
export async function findAuditEvents(ctx: Context, find: Find) {
  const visible: Condition = { field: 'user_id', op: '$in', value: await usersAuditedFor(ctx) };
  // Includes the id, so that services of different versions sort in the same order.
  const sort = decisive(find.sort.length > 0 ? find.sort : auditOrder);
  const walk = walkFrom(sort, find.after);
  // One more than the page, to know if another page follows.
  const lookahead = find.after === undefined ? 0 : 1;
  const needed = find.limit === 0 ? 0 : find.skip + find.limit + lookahead;
  const isTooFar = needed > maxAuditEvents;
  const where = [visible, ...find.where, ...walk.conditions];
  const parts = await partsOf(ctx, { where, sort, limit: isTooFar ? 0 : needed });
  const page = mergePages(parts, { ...find, sort });
  if (isTooFar && find.skip < page.total)
    throw invalidField(
      '$skip',
      `must be at most ${maxAuditEvents - find.limit}; filter by created_at instead`,
    );
  if (find.after === undefined) return page;
  const { total = page.total } = walk;
  const limit = find.limit + lookahead;
  const { data } = mergePages(parts, { ...find, sort, limit, select: undefined });
  const lastShown = data.length > find.limit ? data[find.limit - 1] : undefined;
  return { ...page, total, next: lastShown ? walk.cursorAt(lastShown, total) : null };
}

/**
 * The users whose audit events a user sees: the user, and those for whom a broker may act now. A sub-account that waits for
 * another consent is not among them.
 */
async function usersAuditedFor(ctx: Context): Promise<number[]> {
  const { id, is_broker } = ctx.user;
  if (!is_broker) return [id];
  return [id, ...(await identity.asSystem(ctx).actors.actedFor({ broker_user_id: id }))];
}

type PartSearch = Parameters<typeof findAuditPart>[2];

/** The first events of each service. */
const partsOf = (ctx: Context, search: PartSearch) =>
  Promise.all([
    ownPart(ctx, search),
    ...peers.map((peer): Promise<Part> => peer.asSystem(ctx).auditEvents.search(search)),
  ]);

async function ownPart({ query }: Context, search: PartSearch): Promise<Part> {
  const { text } = await findAuditPart(query, 'leads-routing', search);
  return JSON.parse(text) as Part;
}

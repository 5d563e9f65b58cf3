import type { User } from '@crm/auth';
import { queryIn } from '@crm/data';
import { contactChanged } from '@crm/events';
import { byIds, type PeerContext, type Publishing, publish } from '@crm/service';
import type { Contact } from '../contacts/contact.entity.ts';
import { mayAssignTo } from '../contacts/contact.policy.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { involvedIn, takeAssignments } from '../delegations/delegated-assignment.queries.ts';
import { identity } from '../peers.ts';
import { leaveShares } from './repeated-share.queries.ts';
import { Share } from './share.entity.ts';

/** What identity knows about those who may get a contact back, and those who decide about it. */
export interface People {
  readonly asked: ReadonlySet<number>;
  /** Without disabled users. */
  readonly users: ReadonlyMap<number, User>;
}

export async function askAbout(peers: PeerContext, involved: readonly number[]): Promise<People> {
  const users = await byIds(involved, (ids) => identity.asSystem(peers).actors.ofUsers({ ids }));
  return { asked: new Set(involved), users };
}

/**
 * Undoes on locked contacts what a delegation has shared and assigned. Returns false, and changes nothing, if identity has not
 * been asked about everybody who is now involved.
 */
export async function undoOn(
  ctx: Publishing,
  delegation_id: number,
  contacts: readonly Contact[],
  { asked, users }: People,
): Promise<boolean> {
  const query = queryIn(ctx.em);
  const ids = contacts.map(({ id }) => id);
  if (!new Set(await involvedIn(query, ids)).isSubsetOf(asked)) return false;
  const before = await takeAssignments(query, delegation_id, ids);
  await leaveShares(query, delegation_id, ids);
  const shares = await ctx.em.find(Share, { delegation_id, contact_id: ids });
  const shared = Map.groupBy(shares, ({ contact_id }) => contact_id);
  for (const contact of contacts) {
    const noted = before.get(contact.id);
    const assignee = noted ? assigneeAfter(contact, noted, users) : contact.assigned_user_id;
    restore(ctx, contact, assignee, shared.get(contact.id) ?? []);
  }
  return true;
}

/**
 * Who has a contact after the end of the delegation under which it was assigned: the previous assignee, if the owner could assign
 * it to that user now, and otherwise nobody. If the account of the owner is disabled, the current assignee decides.
 */
function assigneeAfter(
  { owner_user_id, assigned_user_id = null }: Contact,
  { previous_user_id }: { readonly previous_user_id: number | null },
  users: People['users'],
): number | null {
  if (previous_user_id === null || previous_user_id === assigned_user_id) return previous_user_id;
  const decider = users.get(owner_user_id) ?? users.get(assigned_user_id ?? owner_user_id);
  return decider && mayAssignTo(decider, previous_user_id) ? previous_user_id : null;
}

/** Removes shares of a locked contact and assigns it, and publishes that unless nothing changes. */
function restore(
  ctx: Publishing,
  contact: Contact,
  assignee: Contact['assigned_user_id'],
  ended: readonly Share[],
): void {
  const isReassigned = (assignee ?? null) !== (contact.assigned_user_id ?? null);
  // It has been undone since it was found, or another delegation did the same.
  if (!isReassigned && ended.length === 0) return;
  contact.assigned_user_id = assignee;
  const users = new Set(ended.map(({ user_id }) => user_id));
  contact.shared_user_ids = contact.shared_user_ids.filter((id) => !users.has(id));
  for (const share of ended) ctx.em.remove(share);
  contact.change(ctx.now());
  const fields = [...(isReassigned ? ['assigned_user_id'] : []), ...(ended.length > 0 ? ['shares'] : [])];
  publish(ctx, contactChanged, contact, eventData(contact, { fields }));
}

import { invalidField } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { assignContact } from '../contacts/assign-contact.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import { identity } from '../peers.ts';
import { assignmentApi } from './assignment.api.ts';
import { hasOwnContacts, ownedAfter } from './assignment.queries.ts';

type Request = z.output<typeof assignmentApi.assign.input>;
type Assigned = Pick<Contact, 'assigned_user_id'>;

/** The number of contacts that a statement reads in a fraction of a second. */
const counted = 10_000;
/** The number of contacts that a transaction changes in a fraction of a second. */
const changed = 500;

export const assignmentHandlers = implement(assignmentApi, {
  count: async (ctx, request) => {
    await demandReceiver(ctx, request);
    const owned = await ownedAfter(ctx.query, request.from_user_id, request.after, counted);
    const count = owned.filter((contact) => isToAssign(contact, request)).length;
    return { count, left: leftOf(owned, request), next: nextOf(owned, counted) };
  },

  assign: inSteps(assignmentApi.assign, {
    ask: demandReceiver,
    act: async (ctx, request) => {
      const owned = await ownedAfter(ctx.query, request.from_user_id, request.after, changed);
      const isKept = (contact: Assigned) => contact.assigned_user_id === request.to_user_id;
      const wanted = owned.filter((one) => isToAssign(one, request) || (one.is_delegated && isKept(one)));
      const contacts = await ctx.em.find(
        Contact,
        { id: wanted.map(({ id }) => id), owner_user_id: request.from_user_id },
        { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
      );
      // A request may have assigned one of them before it was locked.
      const toAssign = contacts.filter((contact) => isToAssign(contact, request));
      for (const { id: contact_id } of contacts.filter(isKept))
        await noteAssignment(ctx.query, { contact_id, previous_user_id: request.to_user_id }, null);
      for (const contact of toAssign) await assignContact(ctx, contact, request.to_user_id);
      return { count: toAssign.length, left: leftOf(owned, request), next: nextOf(owned, changed) };
    },
  }),

  isNeeded: ({ query }, { user_id }) => hasOwnContacts(query, user_id),
});

/** Throws BadRequest unless another user with an enabled account gets the contacts. */
async function demandReceiver(ctx: Context, { from_user_id, to_user_id }: Request): Promise<void> {
  if (from_user_id === to_user_id) throw invalidField('to_user_id', 'must be another user');
  const [user] = await identity.asSystem(ctx).actors.ofUsers({ ids: [to_user_id] });
  if (!user) throw invalidField('to_user_id', 'must be a user whose account is enabled');
}

function isToAssign({ assigned_user_id }: Assigned, { from_user_id, to_user_id, all }: Request): boolean {
  if (assigned_user_id === to_user_id) return false;
  return all || assigned_user_id == null || assigned_user_id === from_user_id;
}

const leftOf = (owned: readonly Assigned[], request: Request): number =>
  owned.filter((one) => one.assigned_user_id !== request.to_user_id && !isToAssign(one, request)).length;

const nextOf = (owned: readonly { readonly id: number }[], size: number): number | null =>
  owned.length < size ? null : (owned.at(-1)?.id ?? null);

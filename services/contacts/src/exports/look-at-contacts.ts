import type { Context } from '@crm/service';
import { z } from 'zod';
import { mostAddresses } from './export.queries.ts';
import { type Conditions, contactsIn } from './part-of-contacts.ts';

/** A statement can look at this many contacts in a fraction of its time limit. */
const portionSize = 5_000;

/**
 * At most this many addresses get columns. Contacts can no longer get nearly as many, but older ones may have more; JSON lines
 * contain all of them.
 */
const mostColumns = 1_000;

/** What the columns of a file depend on, of the contacts up to an id. */
export const Look = z.object({
  /** The id of the last contact. */
  after: z.int(),
  /** Whether contacts of others are among them. */
  owners: z.boolean(),
  /** How many addresses one of them has at most. */
  addresses: z.int().min(0).max(mostColumns),
  /** How many contacts can be looked at in time. */
  limit: z.int().min(1).max(portionSize).optional(),
});
type Look = z.output<typeof Look>;

/** Looks at the next contacts of a file, and returns what is known then, and whether they were the last ones. */
export async function lookAtSome(
  ctx: Context,
  conditions: Conditions,
  look: Look = { after: 0, owners: false, addresses: 0 },
): Promise<Look & { readonly isLast: boolean }> {
  const select = ['id', 'owner_user_id'];
  const wanted = { after: look.after, limit: look.limit ?? portionSize, select };
  const { contacts, limit } = await contactsIn(ctx, conditions, wanted);
  const ids = contacts.map(({ id }) => id);
  return {
    after: ids.at(-1) ?? look.after,
    owners: look.owners || contacts.some(({ owner_user_id }) => owner_user_id !== ctx.user.id),
    addresses: Math.min(mostColumns, Math.max(look.addresses, await mostAddresses(ctx.query, ids))),
    limit,
    isLast: ids.length < limit,
  };
}

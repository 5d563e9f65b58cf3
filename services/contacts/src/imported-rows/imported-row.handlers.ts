import { type Context, demand, implement } from '@crm/service';
import { mayCreateContact } from '../contacts/contact.policy.ts';
import { demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { addContacts } from './add-contacts.ts';
import { checkRows, type ImportedRow } from './check-rows.ts';
import { importedRowApi } from './imported-row.api.ts';
import { contactsWith, lockRows, noteContacts } from './imported-row.queries.ts';

export const importedRowHandlers = implement(importedRowApi, {
  matches: ({ query, user }, { emails, phones }) => contactsWith(query, user.id, emails, phones),

  add: async (ctx, { rows }) => {
    demand(mayCreateContact(ctx.user));
    if (rows.some(({ contact, shared_with }) => contact.assigned_user_id != null || shared_with.length > 0))
      await demandOpenDelegation(ctx);
    const known = await lockRows(
      ctx.query,
      ctx.user.id,
      rows.map(({ key }) => key),
      ctx.now(),
    );
    const wanted = [...new Map(rows.map((row) => [row.key, row])).values()].filter(
      ({ key }) => !known.get(key),
    );
    const errors = await checkRows(ctx, wanted);
    const invalid = new Map(wanted.map(({ key }, index) => [key, errors[index] ?? {}]));
    const isValid = ({ key }: ImportedRow) => Object.keys(invalid.get(key) ?? {}).length === 0;
    const added = await addValid(ctx, wanted.filter(isValid));
    return rows.map(({ key }) => ({
      id: added.get(key) ?? known.get(key) ?? null,
      is_new: added.has(key),
      errors: invalid.get(key) ?? {},
    }));
  },
});

/** The ids of the contacts that were added, by the keys of their rows. */
async function addValid(ctx: Context, rows: readonly ImportedRow[]): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const ids = await addContacts(ctx, rows);
  const added = new Map(rows.map(({ key }, index) => [key, ids[index] ?? 0]));
  await noteContacts(ctx.query, ctx.user.id, added);
  return added;
}

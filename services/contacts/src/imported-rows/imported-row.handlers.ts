import { reserveIds } from '@crm/data';
import { type Context, demand, implement } from '@crm/service';
import { lockConsentsOf } from '../consents/consent.queries.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { brokerForbidsContacts, mayCreateContact } from '../contacts/contact.policy.ts';
import { demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { knownId } from '../known-id.ts';
import { addContacts, tagsOfRows } from './add-contacts.ts';
import { checkRows, type ImportedRow } from './check-rows.ts';
import { importedRowApi } from './imported-row.api.ts';
import { claimRows, contactsOfRows, contactsWith } from './imported-row.queries.ts';

export const importedRowHandlers = implement(importedRowApi, {
  matches: ({ query, user }, { emails, phones }) => contactsWith(query, user.id, emails, phones),

  known: async ({ query, user }, { keys }) => {
    const known = await contactsOfRows(query, user.id, keys);
    return [...known].map(([key, contact_id]) => ({ key, contact_id }));
  },

  add: async (ctx, { rows }) => {
    demand(mayCreateContact(ctx.user), brokerForbidsContacts);
    if (rows.some(({ contact, shared_with }) => contact.assigned_user_id != null || shared_with.length > 0))
      await demandOpenDelegation(ctx);
    if (rows.some(({ opt_outs = [] }) => opt_outs.length > 0)) await lockConsentsOf(ctx.query, ctx.user.id);
    const distinct = [...new Map(rows.map((row) => [row.key, row])).values()];
    const keys = distinct.map(({ key }) => key);
    const [known, checked] = await Promise.all([
      contactsOfRows(ctx.query, ctx.user.id, keys),
      checkRows(ctx, distinct),
    ]);
    const errorsOf = new Map(keys.map((key, index) => [key, known.has(key) ? {} : (checked[index] ?? {})]));
    const isValid = ({ key }: ImportedRow) =>
      !known.has(key) && Object.keys(errorsOf.get(key) ?? {}).length === 0;
    const { added, others } = await addValid(ctx, distinct.filter(isValid));
    return rows.map(({ key }) => ({
      id: added.get(key) ?? known.get(key) ?? others.get(key) ?? null,
      is_new: added.has(key),
      errors: errorsOf.get(key) ?? {},
    }));
  },
});

/** Adds the contacts of rows, by the keys of these, unless another import has added one meanwhile. */
async function addValid(ctx: Context, rows: readonly ImportedRow[]) {
  if (rows.length === 0) return { added: new Map<string, number>(), others: new Map<string, number>() };
  const ids = await reserveIds(ctx.em, Contact, rows.length);
  const wanted = new Map(rows.map(({ key }, index) => [key, knownId(ids[index])]));
  const [claimed, tags] = await Promise.all([
    claimRows(ctx.query, ctx.user.id, wanted, ctx.now()),
    tagsOfRows(ctx, rows),
  ]);
  await addContacts(
    ctx,
    rows.flatMap((row) => (claimed.has(row.key) ? [{ ...row, id: knownId(wanted.get(row.key)) }] : [])),
    tags,
  );
  const others = [...wanted.keys()].filter((key) => !claimed.has(key));
  return {
    added: new Map([...wanted].filter(([key]) => claimed.has(key))),
    others: others.length === 0 ? new Map() : await contactsOfRows(ctx.query, ctx.user.id, others),
  };
}

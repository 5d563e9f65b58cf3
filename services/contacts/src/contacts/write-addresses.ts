import { invalidField, unknownRecord } from '@crm/contract';
import { insertRows } from '@crm/data';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { Address } from './address.entity.ts';
import { withWordsWritten } from './address.queries.ts';
import { type addressDraft, maxAddresses } from './address-view.api.ts';

/** Throws BadRequest if a locked contact would get too many addresses. */
export async function demandRoom({ em }: Context, contact_id: number, added: number): Promise<void> {
  if (added > 0) demandRoomAmong(await em.count(Address, { contact_id }), added);
}

/** Throws BadRequest if a contact has no room for the addresses that are added. */
export function demandRoomAmong(stored: number, added: number): void {
  if (added > 0 && stored + added > maxAddresses)
    throw invalidField('addresses', `must have at most ${maxAddresses} addresses`);
}

type Draft = z.output<typeof addressDraft> & { readonly id?: number | undefined };

/** Writes the addresses sent with a contact: those with an id are changed, the others added. */
export async function writeAddresses(
  ctx: Context,
  contactId: number,
  drafts: readonly Draft[],
): Promise<void> {
  const now = ctx.now();
  const stamps = { contact_id: contactId, created_at: now, modified_at: now };
  const added = drafts.flatMap(({ id, ...fields }) => (id === undefined ? [{ ...fields, ...stamps }] : []));
  await demandRoom(ctx, contactId, added.length);
  await insertRows(ctx.em, Address, added);
  const ids = drafts.map(({ id }) => id).filter((id) => id !== undefined);
  const found = ids.length === 0 ? [] : await ctx.em.find(Address, { id: ids, contact_id: contactId });
  const existing = new Map(found.map((address) => [address.id, address]));
  for (const [index, { id, ...fields }] of drafts.entries()) {
    if (id === undefined) continue;
    const address = existing.get(id);
    if (!address) throw invalidField(`addresses.${index}.id`, unknownRecord(id));
    ctx.em.assign(address, { ...fields, modified_at: now });
  }
}

/** Throws BadRequest if an address of a new contact names an existing one. */
export function demandNewAddresses(drafts: readonly Draft[] = []): void {
  for (const [index, { id }] of drafts.entries())
    if (id !== undefined) throw invalidField(`addresses.${index}.id`, unknownRecord(id));
}

/** Adds the addresses of contacts that were just added with the words of their addresses. */
export async function addFirstAddresses(
  ctx: Context,
  contacts: readonly { readonly id: number; readonly addresses?: readonly Draft[] | undefined }[],
): Promise<void> {
  const stamps = { created_at: ctx.now(), modified_at: ctx.now() };
  const rows = contacts.flatMap(({ id: contact_id, addresses = [] }) =>
    addresses.map(({ id: _, ...fields }) => ({ ...fields, contact_id, ...stamps })),
  );
  if (rows.length > 0) await withWordsWritten(ctx.query, () => insertRows(ctx.em, Address, rows));
}

import { cursorOf, type JsonText } from '@crm/data';
import { type Context, findOrSearch } from '@crm/service';
import type { z } from 'zod';
import { conditionsOn } from './conditions-on.ts';
import type { contactApi } from './contact.api.ts';
import { searchedContacts } from './search.queries.ts';

/** A page of the contacts that the caller sees, with those that have similar words if a search finds no others. */
export async function findContacts(
  ctx: Context,
  { has_email, has_phone, ...input }: z.output<typeof contactApi.find.input>,
  how: { readonly similar?: boolean } = {},
): Promise<JsonText> {
  const asked = { where: input.where, has_email, has_phone };
  const { model, where } = await conditionsOn(ctx, searchedContacts, asked);
  return findOrSearch(ctx, model, { ...input, where }, how);
}

const byId = { name: 'id', kind: 'integer', direction: 1 } as const;

/** Asks for the contacts after one, by id. Behind a cursor the total is not counted, so all of them are those after id 0. */
export const afterContact = (id: number) => ({
  sort: [['id', 1]] as const,
  skip: 0,
  after: cursorOf({ list: 'contacts', keys: [byId] }, { place: [`${id}`], total: 0 }),
});

import type { Contact } from '@crm/contacts-csv';
import { cursorOf } from '@crm/data';
import { type Context, findOrSearch } from '@crm/service';
import type { conditionsOn } from '../contacts/conditions-on.ts';
import type { searchedContacts } from '../contacts/search.queries.ts';

export type Conditions = Awaited<ReturnType<typeof conditionsOn<typeof searchedContacts>>>;

interface Wanted {
  readonly $search?: readonly string[] | undefined;
  readonly similar?: boolean;
  /** The id of the last contact of the part before. */
  readonly after: number;
  readonly limit: number;
  readonly select: readonly string[] | undefined;
}

const byId = [{ name: 'id', kind: 'integer', direction: 1 }] as const;

/** The contacts of a part. With a cursor, even for the first part, nobody counts the others. */
export async function contactsIn(
  ctx: Context,
  { model, where }: Conditions,
  { $search, similar = false, after, limit, select }: Wanted,
) {
  const position = cursorOf({ list: model.table, keys: byId }, { place: [`${after}`], total: 0 });
  const find = { where, sort: [['id', 1]] as const, limit, skip: 0, after: position, select, $search };
  const { text } = await findOrSearch(ctx, model, find, { similar });
  return (JSON.parse(text) as { readonly data: readonly Contact[] }).data;
}

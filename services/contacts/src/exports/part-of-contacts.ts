import { type Contact, readFewer } from '@crm/contacts-csv';
import { cursorOf } from '@crm/data';
import { type Context, findOrSearch } from '@crm/service';
import type { conditionsOn } from '../contacts/conditions-on.ts';
import type { searchedContacts } from '../contacts/search.queries.ts';

export type Conditions = Awaited<ReturnType<typeof conditionsOn<typeof searchedContacts>>>;

interface Wanted {
  readonly $search?: readonly string[] | undefined;
  /** The id of the last contact of the part before. */
  readonly after: number;
  readonly limit: number;
  readonly select: readonly string[] | undefined;
}

const byId = [{ name: 'id', kind: 'integer', direction: 1 }] as const;

/**
 * The contacts of a part and its maximum size, which is smaller than wanted if that many cannot be read in time. All parts use
 * a cursor, even the first one, so that the total is not counted. A search finds the exact words only, because later parts may
 * have none of them.
 */
export async function contactsIn(
  ctx: Context,
  { model, where }: Conditions,
  { $search, after, limit: wanted, select }: Wanted,
) {
  const position = cursorOf({ list: model.table, keys: byId }, { place: [`${after}`], total: 0 });
  const find = { where, sort: [['id', 1]] as const, skip: 0, after: position, select, $search };
  const { found, limit } = await readFewer(wanted, (limit) =>
    findOrSearch(ctx, model, { ...find, limit }, { similar: false }),
  );
  const { data } = JSON.parse(found.text) as { readonly data: readonly Contact[] };
  return { contacts: data, limit };
}

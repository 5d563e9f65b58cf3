import { type Contact, readFewer } from '@crm/contacts-csv';
import { type Context, findOrSearch } from '@crm/service';
import type { conditionsOn } from '../contacts/conditions-on.ts';
import { afterContact } from '../contacts/find-contacts.ts';
import type { searchedContacts } from '../contacts/search.queries.ts';

export type Conditions = Awaited<ReturnType<typeof conditionsOn<typeof searchedContacts>>>;

interface Wanted {
  readonly $search?: readonly string[] | undefined;
  /** The id of the last contact of the part before. */
  readonly after: number;
  readonly limit: number;
  readonly select: readonly string[] | undefined;
}

/**
 * The contacts of a part and its maximum size, which is smaller than wanted if that many cannot be read in time. A search finds
 * the exact words only, because later parts may have none of them.
 */
export async function contactsIn(
  ctx: Context,
  { model, where }: Conditions,
  { $search, after, limit: wanted, select }: Wanted,
) {
  const find = { ...afterContact(after), where, select, $search };
  const { found, limit } = await readFewer(wanted, (limit) =>
    findOrSearch(ctx, model, { ...find, limit }, { similar: false }),
  );
  const { data } = JSON.parse(found.text) as { readonly data: readonly Contact[] };
  return { contacts: data, limit };
}

import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { Known } from './known-contacts.ts';
import type { ReadyRow } from './read-row.ts';
import { nameOf } from './same-name.ts';
import { keysOf, type Match } from './same-person.ts';

interface Finding {
  readonly client: ActingClient;
  readonly match: Match;
  readonly named: Set<number>;
}

/** Contacts of the user that some of the rows may match. Notes those that earlier rows of the import have named. */
export async function findKnown(
  { client: { contacts }, match, named }: Finding,
  rows: readonly ReadyRow[],
): Promise<Known[]> {
  const keyed = rows.map(({ draft }) => ({ draft, keys: keysOf(draft) }));
  const emails = match === 'phone' ? [] : distinct(keyed.map(({ draft, keys }) => keys.email && draft.email));
  const phones =
    match === 'email' ? [] : distinct(keyed.map(({ draft, keys }) => keys.phone && draft.mobile_phone));
  if (emails.length + phones.length === 0) return [];
  const found = await persistently(() => contacts.importedRows.matches({ emails, phones }));
  for (const { id, is_named = false } of found) if (is_named) named.add(id);
  return found.map((contact) => ({ id: contact.id, keys: keysOf(contact), name: nameOf(contact) }));
}

const distinct = (values: readonly (string | null | undefined)[]): string[] =>
  [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))] as string[];

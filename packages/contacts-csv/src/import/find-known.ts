import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { Known } from './known-contacts.ts';
import type { ReadyRow } from './read-row.ts';
import { nameOf } from './same-name.ts';
import { keysOf, type Match } from './same-person.ts';

/** Contacts of the user that some of the rows may match. */
export async function findKnown(
  { contacts }: ActingClient,
  rows: readonly ReadyRow[],
  match: Match,
): Promise<Known[]> {
  const keyed = rows.map(({ draft }) => ({ draft, keys: keysOf(draft, match) }));
  const emails = distinct(keyed.map(({ draft, keys }) => keys.email && draft.email));
  const phones = distinct(keyed.map(({ draft, keys }) => keys.phone && draft.mobile_phone));
  if (emails.length + phones.length === 0) return [];
  const found = await persistently(() => contacts.importedRows.matches({ emails, phones }));
  return found.map((contact) => ({ id: contact.id, keys: keysOf(contact, match), name: nameOf(contact) }));
}

const distinct = (values: readonly (string | null | undefined)[]): string[] =>
  [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))] as string[];

import type { ActingClient } from '../acting-client.ts';
import { ownContacts } from '../own-contacts.ts';
import { persistently } from '../persistently.ts';
import type { Known } from './known-contacts.ts';
import type { ReadyRow } from './read-row.ts';
import { keysOf, type Match } from './same-person.ts';

/** Contacts of the user that some of the rows may match. Two requests, because each has an index of its own. */
export async function findKnown(
  client: ActingClient,
  rows: readonly ReadyRow[],
  match: Match,
): Promise<Known[]> {
  const emails = match === 'phone' ? [] : distinct(rows.map(({ draft }) => draft.email));
  const phones = match === 'email' ? [] : distinct(rows.map(({ draft }) => draft.mobile_phone));
  const found = await Promise.all([
    emails.length > 0 ? knownWhere(client, { email: emails }, match) : [],
    phones.length > 0 ? knownWhere(client, { mobile_phone: phones }, match) : [],
  ]);
  return found.flat();
}

const distinct = (values: readonly (string | null | undefined)[]): string[] =>
  [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))] as string[];

async function knownWhere(
  client: ActingClient,
  where: { email: string[] } | { mobile_phone: string[] },
  match: Match,
): Promise<Known[]> {
  const known: Known[] = [];
  const query = { ...where, $select: ['id', 'email', 'mobile_phone', 'addresses'] } as const;
  for await (const { data } of ownContacts(client, query, persistently)) {
    for (const contact of data) {
      known.push({ id: contact.id, keys: keysOf(contact, match) });
    }
  }
  return known;
}

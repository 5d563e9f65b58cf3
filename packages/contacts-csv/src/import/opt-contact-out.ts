import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { ReadyRow } from './read-row.ts';

/**
 * Says for a contact that it gets no messages of which its row says so. That holds for the numbers and the addresses of the row
 * as well, which other contacts may have. Said twice, it stays said, so requests need no key.
 */
export async function optContactOut(
  { contacts }: ActingClient,
  id: number,
  { optOuts, changes, destinations }: ReadyRow,
): Promise<void> {
  if (optOuts.length === 0) return;
  // Of the contact alone, for a service of the release before.
  const { mobile_phone = null, email = null } = changes;
  await persistently(() =>
    contacts.consents.optOut({ id, channels: [...optOuts], mobile_phone, email, destinations }),
  );
}

import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { ReadyRow } from './read-row.ts';

/**
 * Opts a contact out of the messages that its row names, and also the numbers and addresses of the row, which other contacts may
 * have. Opting out twice has no further effect, so requests need no key.
 */
export async function optContactOut(
  { contacts }: ActingClient,
  id: number,
  { optOuts, changes, destinations }: ReadyRow,
): Promise<void> {
  if (optOuts.length === 0) return;
  // The mobile phone and e-mail are sent separately too, for a service of the previous release, which ignores `destinations`.
  const { mobile_phone = null, email = null } = changes;
  await persistently(() =>
    contacts.consents.optOut({ id, channels: [...optOuts], mobile_phone, email, destinations }),
  );
}

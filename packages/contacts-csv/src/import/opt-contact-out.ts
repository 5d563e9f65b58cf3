import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { ReadyRow } from './read-row.ts';

/**
 * What the opt-outs of a row apply to: its contact, and the numbers and addresses of the row, whichever contacts have them; or
 * only one of the two.
 */
export type OptOutScope = 'both' | 'contact' | 'destinations';

/** Opting out twice has no further effect, so requests need no key. */
export async function optContactOut(
  { contacts }: ActingClient,
  id: number,
  { optOuts, changes, destinations }: ReadyRow,
  scope: OptOutScope = 'both',
): Promise<void> {
  if (optOuts.length === 0) return;
  // The mobile phone and e-mail are sent separately too, for a service of the previous release, which ignores `destinations`.
  const { mobile_phone = null, email = null } = changes;
  await persistently(() =>
    contacts.consents.optOut({
      id,
      channels: [...optOuts],
      ...(scope !== 'contact' && { mobile_phone, email, destinations }),
      ...(scope === 'destinations' && { destinations_only: true }),
    }),
  );
}

/** Whether a row opts out of messages to one of its own numbers or addresses. */
export const optsDestinationsOut = ({ optOuts, destinations }: ReadyRow): boolean =>
  optOuts.some((channel) => destinations[channel === 'Text' ? 'numbers' : 'emails'].length > 0);

import type { BlockedRecipient } from '@crm/dispatch';
import type { PeerContext } from '@crm/service';
import { identity } from '../peers.ts';

/** Reports to identity that an address or a number of a user is unreachable according to the provider. */
export function noteUnreachable(
  peers: PeerContext,
  { to, why }: BlockedRecipient,
  now: Date,
): Promise<unknown> {
  const at = now.toISOString();
  return identity.asSystem(peers).unreachableAddresses.note({ address: to, why, at });
}

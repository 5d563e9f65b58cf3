import type { BlockedRecipient } from '@crm/dispatch';
import type { PeerContext } from '@crm/service';
import { identity } from '../peers.ts';

/** Records that alerts do not reach a user at an address or a number, according to its provider. */
export function noteUnreachable(
  peers: PeerContext,
  { to, why }: BlockedRecipient,
  now: Date,
): Promise<unknown> {
  const at = now.toISOString();
  return identity.asSystem(peers).unreachableAddresses.note({ address: to, why, at });
}

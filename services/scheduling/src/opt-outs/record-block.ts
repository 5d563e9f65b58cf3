import type { BlockedRecipient } from '@crm/dispatch';
import type { PeerContext } from '@crm/service';
import { contacts } from '../peers.ts';

/** Opts a number out of texts, or an address out of e-mails, according to its provider. */
export function recordBlock(peers: PeerContext, { to, why }: BlockedRecipient, now: Date): Promise<unknown> {
  const { optOuts } = contacts.asSystem(peers);
  const at = now.toISOString();
  if (!to.startsWith('+')) return optOuts.addEmail({ email: to, at, source: 'Bounce' });
  return optOuts.add({ number: to, at, source: why === 'opted out' ? 'Reply' : 'Bounce' });
}

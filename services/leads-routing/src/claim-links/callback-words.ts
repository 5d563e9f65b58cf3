import type { PeerContext } from '@crm/service';
import { nameOf } from '../alerts/lead-words.ts';
import type { Outcome } from '../claims/claim-lead.ts';
import { usersById } from '../names.ts';

interface Claimant {
  readonly lead_id: number;
  readonly user_id: number;
}

/** How a claim ended, in a sentence to be read or heard. */
export async function outcomeWords(
  peers: PeerContext,
  { lead_id, user_id }: Claimant,
  outcome: Outcome,
): Promise<string> {
  if (outcome.is === 'not due') return `Lead ${lead_id} is not offered to you yet.`;
  if (outcome.is !== 'claimed') return `Lead ${lead_id} is not offered to you any more.`;
  const { claimed_by_user_id } = outcome;
  if (claimed_by_user_id === user_id) return `Lead ${lead_id} is yours.`;
  const winner = (await usersById(peers, [claimed_by_user_id])).get(claimed_by_user_id);
  return `Lead ${lead_id} was claimed by ${nameOf(winner, 'somebody else')}.`;
}

/** The same after a key press; another key than the one that was asked for claims nothing. */
export async function pressedWords(peers: PeerContext, claimant: Claimant | null, outcome: Outcome | null) {
  return claimant && outcome ? outcomeWords(peers, claimant, outcome) : 'Nothing was claimed. Goodbye.';
}

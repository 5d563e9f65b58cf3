import type { PeerContext } from '@crm/service';
import type { Outcome } from '../claims/offer-state.ts';
import { winnerName } from '../names.ts';

interface Claimant {
  readonly lead_id: number;
  readonly user_id: number;
}

/** The outcome of a claim as a sentence for a text or a call. */
export async function outcomeWords(
  peers: PeerContext,
  { lead_id, user_id }: Claimant,
  outcome: Outcome,
): Promise<string> {
  if (outcome.is === 'not due') return `It is not your turn to claim lead ${lead_id} yet.`;
  if (outcome.is !== 'claimed') return `Lead ${lead_id} is no longer offered to you.`;
  const { claimed_by_user_id } = outcome;
  if (claimed_by_user_id === user_id) return `Lead ${lead_id} is yours.`;
  return `Lead ${lead_id} was claimed by ${await winnerName(peers, claimed_by_user_id)}.`;
}

/** The outcome of a key press as a sentence. Any other key than the requested one claims nothing. */
export async function keyPressWords(peers: PeerContext, claimant: Claimant | null, outcome: Outcome | null) {
  return claimant && outcome ? outcomeWords(peers, claimant, outcome) : 'No lead was claimed. Goodbye.';
}

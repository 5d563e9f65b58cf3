import type { PeerContext } from '@crm/service';
import { winnerName } from '../names.ts';
import { leadClaimed } from './claim.api.ts';

/** The refusal for a user who comes too late. It names the winner. */
export async function lostTo(peers: PeerContext, id: number) {
  return leadClaimed({
    message: `The lead was claimed by ${await winnerName(peers, id)}, user ${id}.`,
    errors: { claimed_by_user_id: String(id) },
  });
}

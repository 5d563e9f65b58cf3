import type { PeerContext } from '@crm/service';
import { usersById } from '../names.ts';
import { leadClaimed } from './claim.api.ts';

/** The refusal for a user who comes too late; it names the winner. */
export async function lostTo(peers: PeerContext, id: number) {
  const user = (await usersById(peers, [id])).get(id);
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || 'someone else';
  return leadClaimed({
    message: `The lead was claimed by ${name}, user ${id}.`,
    errors: { claimed_by_user_id: String(id) },
  });
}

import type { Query } from '@crm/data';
import type { RowProblem } from '@crm/service';
import { countPaused, findPauses } from './sending-pause.queries.ts';

/**
 * The messages that the stop switches hold, for the operator; reported even if nothing is due, so that nobody forgets a switch.
 */
export async function pausedRows(query: Query): Promise<RowProblem[]> {
  const pauses = await findPauses(query);
  if (pauses.length === 0) return [];
  const paused = new Set(pauses.map(({ user_id }) => user_id));
  const users = paused.size - (paused.has(null) ? 1 : 0);
  const whom = [
    paused.has(null) ? 'everybody' : '',
    users > 0 ? `${users} ${users === 1 ? 'user' : 'users'}` : '',
  ];
  const since = pauses.map(({ paused_at }) => paused_at).toSorted()[0];
  const end = pauses.some(({ by }) => by === 'user')
    ? 'ends those of the operator; users end their own on the account page.'
    : 'ends the pause.';
  const reason = `Sending has been paused for ${whom.filter(Boolean).join(' and ')} since ${since}; \`crm dispatch resume\` ${end}`;
  return [{ what: 'communications', count: await countPaused(query), reason }];
}

import type { Query } from '@crm/data';
import type { RowProblem } from '@crm/service';
import { countPaused, findPauses } from './sending-pause.queries.ts';

/** What the stop switches hold, for the operator: also if nothing is due, so that nobody forgets one. */
export async function pausedRows(query: Query): Promise<RowProblem[]> {
  const pauses = await findPauses(query);
  if (pauses.length === 0) return [];
  const users = pauses.filter(({ user_id }) => user_id !== null).length;
  const whom = [
    users < pauses.length ? 'everybody' : '',
    users > 0 ? `${users} ${users === 1 ? 'user' : 'users'}` : '',
  ];
  const since = pauses.map(({ paused_at }) => paused_at).toSorted()[0];
  const reason = `Sending has been paused for ${whom.filter(Boolean).join(' and ')} since ${since}; \`crm dispatch resume\` ends the pause.`;
  return [{ what: 'communications', count: await countPaused(query), reason }];
}

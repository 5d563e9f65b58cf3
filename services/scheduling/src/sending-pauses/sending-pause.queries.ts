import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** No user has this id; a pause with it is one of the installation. */
const everybody = 0;

/**
 * In SQL, whether nothing may be sent for those on whose behalf a row is sent, its sender and who put the contact into the
 * campaign, or for anybody. The enrolment is read only while somebody is paused. Without `coalesce`, PostgreSQL believes that
 * next to nothing is not paused, and reads and sorts a whole backlog to find the first rows of it.
 */
export const isPaused = (
  row: string,
): string => `coalesce(case when exists (select from sending_pauses) then exists (
  select from sending_pauses pause where pause.user_id in (
    ${everybody}, ${row}.send_from_user_id,
    (select e.user_id from enrolments e where e.campaign_contact_id = ${row}.campaign_contact_id)
  )
) end, false)`;

const Pause = z.object({ user_id: z.int().nullable(), paused_at: z.string() });

const columns = `nullif(user_id, ${everybody}) as user_id,
  to_char(paused_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as paused_at`;

export function findPauses(query: Query): Promise<z.output<typeof Pause>[]> {
  return queryRows(query, Pause, `select ${columns} from sending_pauses order by sending_pauses.user_id`, []);
}

/** A pause that exists stays as it is. */
export async function addPause(query: Query, userId: number | null) {
  const [pause] = await queryRows(
    query,
    Pause,
    `insert into sending_pauses (user_id, paused_at) values ($1, now())
     on conflict (user_id) do update set paused_at = sending_pauses.paused_at returning ${columns}`,
    [userId ?? everybody],
  );
  if (!pause) throw new Error('The pause was not stored.');
  return pause;
}

export async function removePause(query: Query, userId: number | null): Promise<void> {
  await query('delete from sending_pauses where user_id = $1', [userId ?? everybody]);
}

const Count = z.object({ count: z.int() });

/** How many communications are due and paused. */
export async function countPaused(query: Query): Promise<number> {
  const [found] = await queryRows(
    query,
    Count,
    `select count(*)::int as count from communications t
     where t.dispatch_state = 'Scheduled' and t.send_at <= now() and ${isPaused('t')}`,
    [],
  );
  return found?.count ?? 0;
}

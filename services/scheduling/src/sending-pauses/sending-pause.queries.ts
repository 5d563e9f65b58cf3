import { isoText, type Query, queryRow, queryRows } from '@crm/data';
import { z } from 'zod';

/** No user has this id; a pause with it applies to the whole installation. */
const everybody = 0;

/**
 * SQL condition: a pause applies to the sender of a row `t`, to the user who put the contact into the campaign, or to everybody.
 * The enrolment is read only while somebody is paused. Without `coalesce`, PostgreSQL expects almost no unpaused rows, and reads
 * and sorts a whole backlog to find the first ones.
 */
export const isPaused = `coalesce(case when exists (select from sending_pauses) then exists (
  select from sending_pauses pause where pause.user_id in (
    ${everybody}, t.send_from_user_id,
    (select e.user_id from enrolments e where e.campaign_contact_id = t.campaign_contact_id)
  )
) end, false)`;

/** Who sets a pause. Each can end only its own. */
const pausers = ['user', 'operator'] as const;

export type Pauser = (typeof pausers)[number];

const Pause = z.object({ user_id: z.int().nullable(), by: z.enum(pausers), paused_at: z.string() });

/** The pauses of a row `p`. Only the operator pauses everybody. */
const pausesOfRow = `(
  select * from (values
    ('user', case when p.user_id <> ${everybody} then p.user_paused_at end),
    ('operator', case when p.user_id = ${everybody} then p.paused_at else p.operator_paused_at end)
  ) of_row (by, since) where since is not null
)`;

const columns = `nullif(p.user_id, ${everybody}) as user_id, one.by,
  ${isoText('one.since')} as paused_at`;

export function findPauses(query: Query): Promise<z.output<typeof Pause>[]> {
  return queryRows(
    query,
    Pause,
    `select ${columns} from sending_pauses p cross join lateral ${pausesOfRow} one order by p.user_id, one.by`,
    [],
  );
}

/** An existing pause is kept. */
export function addPause(query: Query, userId: number | null, by: Pauser) {
  return queryRow(
    query,
    Pause,
    `with p as (
       insert into sending_pauses (user_id, paused_at, user_paused_at, operator_paused_at)
       values ($1::int, now(), case when $2::text = 'user' then now() end, case when $2::text = 'operator' then now() end)
       on conflict (user_id) do update set
         user_paused_at = coalesce(sending_pauses.user_paused_at, excluded.user_paused_at),
         operator_paused_at = coalesce(sending_pauses.operator_paused_at, excluded.operator_paused_at)
       returning *
     )
     select ${columns} from p cross join lateral ${pausesOfRow} one where one.by = $2::text`,
    [userId ?? everybody, by],
  );
}

export async function removePause(query: Query, userId: number | null, by: Pauser): Promise<void> {
  const [own, other] = by === 'user' ? ['user', 'operator'] : ['operator', 'user'];
  await query(
    `merge into sending_pauses p using (values ($1::int)) wanted (user_id) on p.user_id = wanted.user_id
     when matched and p.user_id <> ${everybody} and p.${other}_paused_at is not null
       then update set ${own}_paused_at = null
     when matched then delete`,
    [userId ?? everybody],
  );
}

const Count = z.object({ count: z.int() });

/** How many communications are due and paused. */
export async function countPaused(query: Query): Promise<number> {
  const { count } = await queryRow(
    query,
    Count,
    `select count(*)::int as count from communications t
     where t.dispatch_state = 'Scheduled' and t.send_at <= now() and ${isPaused}`,
    [],
  );
  return count;
}

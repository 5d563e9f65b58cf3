import { hasRows, type Query, queryFirst, queryRows } from '@crm/data';
import { z } from 'zod';
import { Settled, settledColumnsOf } from '../dispatch/communication-dispatch.queries.ts';
import { isBegun } from '../dispatch/limits.queries.ts';

export interface Reply {
  readonly id: string;
  readonly number: string;
  readonly at: string;
}

/**
 * Stores a reply, and returns whether it is new. Of two concurrent requests with the same reply, the second waits for the first.
 */
export function noteReply(query: Query, { id, number, at }: Reply): Promise<boolean> {
  return hasRows(
    query,
    'insert into replies (id, number, replied_at) values ($1, $2, $3) on conflict (id) do nothing returning id',
    [id, number, at],
  );
}

const Texted = z.object({ contact_id: z.int(), send_from_user_id: z.int() });

/**
 * The contact to whom the last text at a number may have gone before an incoming one, and its sender. Clocks may differ by some
 * seconds.
 */
export function lastTexted(query: Query, { number, at }: Pick<Reply, 'number' | 'at'>) {
  return queryFirst(
    query,
    Texted,
    `select contact_id, send_from_user_id from communications c
     where sent_to = $1::text and type = 'Text Contact' and begun_at is not null
       -- Of several attempts, \`begun_at\` is the time of the last one.
       and case when attempts > 1 then send_at else begun_at end <= $2::timestamptz + interval '5 seconds'
       and ${isBegun('c')}
     order by begun_at desc, id desc limit 1`,
    [number, at],
  );
}

/** The contacts who were texted at the number `$1`. */
const texted = `array(
  select texted.contact_id from communications texted
  where texted.sent_to = $1::text and texted.type = 'Text Contact'
)`;

/**
 * Stores that contacts have replied, for messages that are being sent to them: these contacts, and everybody who was texted at
 * the number.
 */
export async function noteContactReplies(
  query: Query,
  { number, at }: Reply,
  contactIds: readonly number[],
): Promise<void> {
  await query(
    `insert into contact_replies (contact_id, replied_at)
     select distinct contact_id, $3::timestamptz from unnest($2::int[] || ${texted}) contact (contact_id)
     order by contact_id
     on conflict (contact_id) do update set replied_at = greatest(contact_replies.replied_at, excluded.replied_at)`,
    [number, contactIds, at],
  );
}

/**
 * Stops the texts that are not sent after a reply: those to these contacts, and to everybody who was texted at the number. A text
 * that is being sent or was created after the reply is not stopped; the final check stops another attempt to send it.
 */
export async function stopTexts(
  query: Query,
  { number, at }: Reply,
  contactIds: readonly number[],
): Promise<Settled[]> {
  return queryRows(
    query,
    Settled,
    `with stopped as (
       select c.id from communications c
       where c.contact_id = any($2::int[] || ${texted})
         and c.type = 'Text Contact' and c.is_stopped_on_text_reply and c.is_active
         and (c.dispatch_state = 'Scheduled' or (c.dispatch_state = 'Sending' and c.begun_at is null))
         and c.created_at <= $3::timestamptz and c.doubtful_since is null
       order by c.id for update of c
     )
     update communications c set
       dispatch_state = 'Dropped', dispatch_reason = 'The contact replied to a text.', lease_until = null,
       is_active = false, completed_at = $3::timestamptz, completing_user_id = null,
       modified_at = now(), version = c.version + 1
     from stopped where c.id = stopped.id
     returning ${settledColumnsOf('c')}`,
    [number, contactIds, at],
  );
}

/** Deletes replies long after a provider would deliver them again. */
export async function forgetOldReplies(query: Query): Promise<void> {
  await query(
    `delete from replies where id in (
       select id from replies where replied_at < now() - interval '180 days' order by replied_at limit 1000
     )`,
    [],
  );
}

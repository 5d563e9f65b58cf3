import type { Query } from '@crm/data';
import { type Settled, settledColumns } from '../dispatch/communication-dispatch.queries.ts';

interface Reply {
  readonly id: string;
  readonly number: string;
  readonly at: string;
}

/** Notes a reply, and says whether it is heard of for the first time. Two of the same wait for one another. */
export async function noteReply(query: Query, { id, number, at }: Reply): Promise<boolean> {
  const rows = await query(
    'insert into replies (id, number, replied_at) values ($1, $2, $3) on conflict (id) do nothing returning id',
    [id, number, at],
  );
  return rows.length > 0;
}

/**
 * Stops what is not sent any more after a reply: of these contacts, and of all who were texted at the number. What is on
 * its way is not called back, and what was made after the reply is not meant by it.
 */
export async function stopTexts(
  query: Query,
  { number, at }: Reply,
  contactIds: readonly number[],
): Promise<Settled[]> {
  const rows = await query(
    `with stopped as (
       select c.id from communications c
       where c.contact_id = any($2::int[] || array(
           select texted.contact_id from communications texted
           where texted.sent_to = $1::text and texted.type = 'Text Contact'
         ))
         and c.type = 'Text Contact' and c.is_stopped_on_text_reply and c.is_active
         and (c.dispatch_state = 'Scheduled' or (c.dispatch_state = 'Sending' and c.begun_at is null))
         and c.created_at <= $3::timestamptz
       order by c.id for update of c
     )
     update communications c set
       dispatch_state = 'Dropped', dispatch_reason = 'The contact replied to a text.', lease_until = null,
       is_active = false, completed_at = $3::timestamptz, completing_user_id = null,
       modified_at = now(), version = c.version + 1
     from stopped where c.id = stopped.id
     returning ${settledColumns}`,
    [number, contactIds, at],
  );
  return rows as unknown as Settled[];
}

/** Long after anybody says them again. */
export async function forgetOldReplies(query: Query): Promise<void> {
  await query(
    `delete from replies where id in (
       select id from replies where replied_at < now() - interval '180 days' order by replied_at limit 1000
     )`,
    [],
  );
}

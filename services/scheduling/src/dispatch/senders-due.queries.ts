import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { isPaused } from '../sending-pauses/sending-pause.queries.ts';

/** A message that is later than this is not sent at the wrong hour, but moved to another day. */
export const tooLate = "interval '1 hour'";

export const SenderDue = z.object({ type: z.enum(communicationTypes), send_from_user_id: z.int() });

/** A sender who has communications of a type to be sent now. */
export type SenderDue = z.output<typeof SenderDue>;

const isNotLate = `t.send_at > now() - ${tooLate}`;
/** Whether a communication `t` is sent when it is due, in SQL. */
export const isToBeSent = `${isNotLate} and not ${isPaused('t')}`;

const isDueNow = `t.dispatch_state = 'Scheduled' and t.next_attempt_at <= now() and ${isToBeSent} and t.send_at <= now()`;

/** So many communications are looked at one by one; of more, only one of each sender is. */
const fewDue = 200;

/** The senders who have communications to be sent now, by type. */
export async function sendersDue(query: Query): Promise<SenderDue[]> {
  const few = await queryRows(
    query,
    SenderDue.extend({ count: z.int() }),
    `with some_due as materialized (
       select t.type, t.send_from_user_id from communications t where ${isDueNow} limit ${fewDue}
     )
     select type, send_from_user_id, (sum(count(*)) over ())::int as count from some_due
     group by 1, 2 order by send_from_user_id`,
    [],
  );
  return few[0]?.count === fewDue ? eachSenderDue(query) : few;
}

// Not to be looked up by its index, which has the rows of all senders.
const soon = "(t.send_at + interval '0')";

/** The same without reading all that is due: goes from sender to sender in the index, and looks for one that is due. */
function eachSenderDue(query: Query): Promise<SenderDue[]> {
  const nextOf = (condition: string) => `(
    select t.send_from_user_id from communications t
    where t.dispatch_state = 'Scheduled' and ${condition} order by t.send_from_user_id limit 1
  )`;
  return queryRows(
    query,
    SenderDue,
    `with recursive sender (type, id) as (
       select type, ${nextOf('t.type = types.type')} from unnest($1::text[]) types (type)
       union all
       select sender.type, ${nextOf('t.type = sender.type and t.send_from_user_id > sender.id')}
       from sender where sender.id is not null
     )
     select type, id as send_from_user_id from sender
     where id is not null and exists (
       select from communications t
       where t.type = sender.type and t.send_from_user_id = sender.id and ${isDueNow.replaceAll('t.send_at', soon)}
     )
     order by id`,
    [communicationTypes],
  );
}

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

const isWaiting = "t.dispatch_state = 'Scheduled' and t.next_attempt_at <= now()";
const isMeantNow = `${isToBeSent} and t.send_at <= now()`;

/** So many communications are looked at one by one; of more, only one of each sender is. */
const fewDue = 200;

/** After many were found, so many further looks expect many. */
const looksAtMany = 4;

/** Finds, each time it is called, the senders who have communications to be sent now, by type. */
export function findingSenders(query: Query): () => Promise<SenderDue[]> {
  let many = 0;
  return async () => {
    const few = many > 0 ? undefined : await fewSendersDue(query);
    if (few) return few;
    many = many > 0 ? many - 1 : looksAtMany;
    return eachSenderDue(query);
  };
}

const CountedSender = SenderDue.extend({ count: z.int() });

/** The senders of the communications, unless there are many of these. */
async function fewSendersDue(query: Query): Promise<SenderDue[] | undefined> {
  const few = await queryRows(
    query,
    CountedSender,
    `with some_due as materialized (
       select t.type, t.send_from_user_id from communications t where ${isWaiting} and ${isMeantNow} limit ${fewDue}
     )
     select type, send_from_user_id, (sum(count(*)) over ())::int as count from some_due
     group by 1, 2 order by send_from_user_id`,
    [],
  );
  return few[0]?.count === fewDue ? undefined : few;
}

/**
 * The senders of the communications without reading all of these: goes from sender to sender in the index, and looks for one
 * that is due.
 */
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
     -- Not in an \`exists\`, which PostgreSQL may turn into a join with all that is due.
     cross join lateral (
       select from communications t
       where t.type = sender.type and t.send_from_user_id = sender.id and ${isWaiting}
         -- In a \`case\`, so that PostgreSQL expects to find one soon, and reads the index of the sender in its order.
         and case when ${isMeantNow} then true end
       order by t.next_attempt_at limit 1
     ) due
     where id is not null
     order by id`,
    [communicationTypes],
  );
}

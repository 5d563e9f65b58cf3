import { type Query, queryRow } from '@crm/data';
import { z } from 'zod';

interface SentMessage {
  readonly contact_id: number;
  readonly at: string;
}

const sent = `latest as (
  select contact_id, max(at) as at from jsonb_to_recordset($1::jsonb) message (contact_id integer, at timestamptz)
  group by 1
)`;

/**
 * SQL that writes `latest` into its contacts. It uses an array, because the planner would expect a join to be so large that it
 * reads all contacts, and a fixed order, so that two statements with contacts in common do not deadlock.
 */
const writeLatest = `wanted as (
  select contacts.id, latest.at from contacts join latest on contacts.id = contact_id
  where contacts.id = any(array(select contact_id from latest)) and (last_message_at is null or last_message_at < at)
  order by contacts.id for update of contacts
), written as (
  update contacts set last_message_at = at, last_activity_at = greatest(last_activity_at, at)
  from wanted
  where contacts.id = wanted.id and contacts.id = any(array(select id from wanted))
    and (last_message_at is null or last_message_at < at)
)`;

/** Records when messages were sent to contacts. The events of messages may arrive in any order. */
export async function noteMessages(query: Query, messages: readonly SentMessage[]): Promise<void> {
  await query(`with ${sent}, ${writeLatest} select`, [JSON.stringify(messages)]);
}

/** Stores when messages were sent until `writeKeptMessages` writes it to the contacts. */
export async function keepMessages(query: Query, messages: readonly SentMessage[]): Promise<void> {
  await query(
    `with ${sent}
     insert into sent_messages as kept (contact_id, last_message_at)
     select contact_id, at from latest order by contact_id
     on conflict (contact_id) do update set last_message_at = greatest(kept.last_message_at, excluded.last_message_at)`,
    [JSON.stringify(messages)],
  );
}

const portion = 500;

const Count = z.object({ count: z.int() });

/** Writes some of what was stored at least a minute ago to the contacts, and returns whether there may be more. */
export async function writeKeptMessages(query: Query): Promise<boolean> {
  const { count } = await queryRow(
    query,
    Count,
    `with latest as (
       delete from sent_messages where contact_id = any(array(
         select contact_id from sent_messages where kept_at <= now() - interval '1 minute'
         order by contact_id limit ${portion} for update skip locked
       ))
       returning contact_id, last_message_at as at
     ), ${writeLatest}
     select count(*)::int from latest`,
    [],
  );
  return count === portion;
}

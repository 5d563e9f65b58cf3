import { hasRows, type Query, queryFirst, readModel, throughParent, untilFewer } from '@crm/data';
import { z } from 'zod';
import { CommunicationView } from './communication.api.ts';
import { linksWorkFor } from './removed-email.queries.ts';

export const communicationRows = readModel(CommunicationView, {
  table: 'communications',
  visible: throughParent,
  nested: { contact_id: 'communications.contact_id' },
  hidden: { contact_id: { kind: 'integer', sql: 'communications.contact_id' } },
});

const Membership = z.object({ campaign_contact_id: z.int(), campaign_id: z.int() });

/** The campaign and the campaign contact of a communication, which never change; undefined if there are none. */
export function campaignOf(query: Query, contactId: number, id: number) {
  return queryFirst(
    query,
    Membership,
    'select campaign_contact_id, campaign_id from communications where id = $1::int and contact_id = $2::int',
    [id, contactId],
  );
}

/**
 * Removes a portion of the messages to a contact, sent or not, and returns how many. Rows that somebody else has locked are
 * skipped. Data for daily limits is kept for a day, and unsubscribe links as long as they must work. With an equality condition,
 * the planner might read the messages to all contacts to find the first ones.
 */
export async function removeSomeTo(query: Query, contactId: number, portionSize: number): Promise<number> {
  const removed = await query(
    `with locked as (
       select id from communications where contact_id between $1::int and $1::int
       order by contact_id, id limit $2::int for update skip locked
     ),
     removed as (
       delete from communications c using locked where c.id = locked.id
       returning send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest,
         coalesce(begun_at, doubtful_since) as begun_at,
         case when doubtful_since is null then dispatch_state else 'Unknown' end as dispatch_state, key
     ),
     links as (
       insert into removed_emails (key, contact_id, address, sent_at)
       select key, contact_id, sent_to, begun_at from removed
       where type = 'Email Contact' and sent_to is not null and begun_at > now() - ${linksWorkFor}
     ),
     counting as (
       insert into removed_sendings (send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at,
         dispatch_state)
       select send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at, dispatch_state
       from removed where begun_at > now() - interval '24 hours'
     )
     select true as removed from removed`,
    [contactId, portionSize],
  );
  return removed.length;
}

/** Whether a contact has any messages, sent or not. */
export const isRecipient = (query: Query, contactId: number): Promise<boolean> =>
  hasRows(query, 'select from communications where contact_id = $1::int limit 1', [contactId]);

/** Deletes, in portions, the data of messages to removed contacts that no longer counts for a limit. */
export async function forgetRemovedSendings(query: Query, portion = 1_000): Promise<void> {
  await untilFewer(portion, (most) =>
    query(
      `delete from removed_sendings where ctid = any(array(
         select ctid from removed_sendings where begun_at < now() - interval '25 hours'
         order by begun_at limit $1::int for update skip locked
       ))
       returning contact_id`,
      [most],
    ),
  );
}

import type { Query } from '@crm/data';
import type { TextedOffer } from './choose-offer.ts';

export interface InboundText {
  readonly id: string;
  readonly from_number: string;
  readonly body: string;
  readonly meaning: string;
  readonly lead_id: number | null;
  readonly user_id: number | null;
}

export interface NotedText extends InboundText {
  readonly received_at: string;
}

/** A reply counts for what was texted about in this time. */
const replied = "interval '14 days'";

/** The leads that a number was texted about, the latest first. */
export async function textedOffers(query: Query, number: string): Promise<TextedOffer[]> {
  const rows = await query(
    `select lead_offers.lead_id, lead_offers.user_id,
       leads.claimed_by_user_id is null and exists (
         select from distribution_options o
         where o.team_id = lead_offers.team_id and o.user_id = lead_offers.user_id
       ) as is_open
     from lead_alerts
     join lead_offers on lead_offers.id = lead_alerts.offer_id
     join leads on leads.id = lead_offers.lead_id
     where lead_alerts.sent_to = $1::text and lead_alerts.kind = 'Text'
       and lead_alerts.due_at > now() - ${replied}
     order by lead_alerts.due_at desc, lead_alerts.id desc
     limit 100`,
    [number],
  );
  return rows.map(({ lead_id, user_id, is_open }) => ({
    lead_id: Number(lead_id),
    user_id: Number(user_id),
    isOpen: is_open === true,
  }));
}

/** Whether an alert was ever texted to a number, so that a reply may claim a lead. */
export async function wasAlerted(query: Query, number: string): Promise<boolean> {
  const [row] = await query(
    `select exists (
       select from lead_alerts where sent_to = $1::text and kind = 'Text'
     ) as was_alerted`,
    [number],
  );
  return row?.was_alerted === true;
}

/** Notes a text unless it came before, and answers with what was noted first. Two of the same wait for one another. */
export async function noteText(
  query: Query,
  text: InboundText,
  receivedAt: Date,
): Promise<{ readonly noted: NotedText; readonly isNew: boolean }> {
  const { id, from_number, body, meaning, lead_id, user_id } = text;
  const [added] = await query(
    `insert into inbound_texts (id, from_number, body, meaning, lead_id, user_id, received_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing returning *`,
    [id, from_number, body, meaning, lead_id, user_id, receivedAt.toISOString()],
  );
  const [noted] = added ? [added] : await query('select * from inbound_texts where id = $1', [id]);
  return { noted: noted as unknown as NotedText, isNew: added !== undefined };
}

/** Texts that were not passed on yet: wishes first, which nothing else may hold up. */
export async function textsWaiting(query: Query): Promise<readonly NotedText[]> {
  const rows = await query(
    `select * from inbound_texts where passed_on_at is null and meaning <> 'claim'
     order by meaning = 'other', received_at limit 100`,
    [],
  );
  return rows as unknown as readonly NotedText[];
}

export async function notePassedOn(query: Query, id: string): Promise<void> {
  await query('update inbound_texts set passed_on_at = now() where id = $1', [id]);
}

/** Long after a provider has given up repeating a callback. What was not passed on yet is not forgotten. */
export async function forgetOldTexts(query: Query): Promise<void> {
  await query(
    `delete from inbound_texts where id in (
       select id from inbound_texts
       where received_at < now() - interval '90 days' and (passed_on_at is not null or meaning = 'claim')
       order by received_at limit 1000
     )`,
    [],
  );
}

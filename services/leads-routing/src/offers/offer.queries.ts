import type { User } from '@crm/auth';
import { arrayOf, JsonText, type Query, queryRows, readModel } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { z } from 'zod';
import { OfferView } from './offer.api.ts';
import { visibleOffers } from './offer.policy.ts';

/** A contact that the creator of the lead could not see is shown to nobody. */
const contact = 'case when leads.contact_owner_user_id is not null then leads.contact_id end';

/** Records of other services are ids, which handlers replace. */
export const offerRows = readModel(OfferView, {
  table: 'lead_offers',
  visible: visibleOffers,
  order: [['notify_at', 1]],
  nested: {
    lead: `(
      select json_build_object('id', id, 'distribution_target', distribution_target, 'contact', ${contact})
      from leads where leads.id = lead_offers.lead_id
    )`,
    user: 'lead_offers.user_id',
    team: 'lead_offers.team_id',
  },
  hidden: {
    lead_id: { kind: 'integer', sql: 'lead_offers.lead_id' },
    creator_user_id: { kind: 'integer', sql: 'lead_offers.creator_user_id' },
  },
});

/** These offers as a JSON array by id, whoever sees them. */
export async function offersOf(query: Query, ids: readonly number[]): Promise<JsonText> {
  const [row] = await queryRows(
    query,
    z.object({ body: z.string() }),
    `select ${arrayOf(offerRows, 'lead_offers.id = any($1::int[])')}::text as body`,
    [ids],
  );
  return new JsonText(row?.body ?? '[]');
}

/** Whether the lead has an offer that the user may see. */
export async function seesOfferOf(query: Query, user: User, leadId: number): Promise<boolean> {
  const binds = new Binds();
  const lead = `lead_offers.lead_id = ${binds.add(leadId)}::int`;
  const sight = sqlOfRule(visibleOffers(user), offerRows.columns, binds);
  const [row] = await query(`select from lead_offers where ${lead} and ${sight} limit 1`, binds.values);
  return row !== undefined;
}

interface NewAlert {
  readonly offer_id: number;
  readonly kind: string;
  readonly due_at: Date;
}

/** Ids are assigned in the given order, in which alerts that are due at the same time are sent. */
export async function addAlerts(query: Query, alerts: readonly NewAlert[]): Promise<void> {
  await query(
    `insert into lead_alerts (offer_id, kind, due_at, next_attempt_at)
     select offer_id, kind, due_at, due_at
     from unnest($1::int[], $2::text[], $3::timestamptz[]) with ordinality as alert (offer_id, kind, due_at, position)
     order by position`,
    [
      alerts.map(({ offer_id }) => offer_id),
      alerts.map(({ kind }) => kind),
      alerts.map(({ due_at }) => due_at.toISOString()),
    ],
  );
}

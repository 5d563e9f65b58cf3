import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { z } from 'zod';
import { fallbackReason } from '../leads/lead.api.ts';
import { LeadFacts, leadFacts } from '../leads/lead-facts.ts';
import { isOpen } from '../rollout/open-offer.ts';
import { alertKinds } from '../rollout/plan.ts';
import { leadWasClaimed } from '../waiting-alert.queries.ts';

export const DueAlert = DueRow.extend({
  kind: z.enum(alertKinds),
  /** When the alert was due, in seconds since 1970. */
  due_seconds: z.number(),
  user_id: z.int(),
  /** The team that the lead is offered in; null in an alert to the creator of a lead. */
  team_id: z.int().nullable(),
  /** On whose behalf the alert is sent. */
  creator_user_id: z.int(),
  /** The channels of the offer, in the order in which one stands in for others that cannot reach the user. */
  sent_by: z.array(z.enum(['Email', 'Text', 'Phone'])),
  claimed_by_user_id: z.int().nullable(),
  /** Null if the creator of the lead could not see the contact. */
  contact_id: z.int().nullable(),
  ...LeadFacts.shape,
  /** Set only in an alert to the creator of a lead that nobody took. */
  fallback_reason: fallbackReason.nullable(),
});

/** A leased alert with the facts that it is written from, as read when it was leased. */
export type DueAlert = z.output<typeof DueAlert>;

/** An assignment is due before the other alerts of its offer. */
export const alertTable: DispatchTable = {
  ...usualNames,
  name: 'lead_alerts',
  lane: 'kind',
  sharedBy: 'owner_user_id',
  isDue: `(t.kind = 'Assign' or not exists (
    select from lead_alerts first
    where first.offer_id = t.offer_id and first.kind = 'Assign' and first.state in ('Waiting', 'Sending')
  ))`,
  onSettle: "handed_over_at = case when outcome.state = 'Done' then now() end",
};

export const dueAlertSelect = `
  select ${dueColumns('due_at')}, leased.kind, extract(epoch from leased.due_at)::float8 as due_seconds,
    coalesce(lead_offers.user_id, leads.creator_user_id) as user_id, lead_offers.team_id, leads.creator_user_id,
    array_remove(array[case when lead_offers.has_email_alert then 'Email' end,
      case when lead_offers.has_text_alert then 'Text' end,
      case when lead_offers.has_call_alert then 'Phone' end], null) as sent_by,
    leads.claimed_by_user_id, case when leased.lead_id is not null then leads.fallback_reason end as fallback_reason,
    case when leads.contact_owner_user_id is not null then leads.contact_id end as contact_id,
    ${leadFacts}
  from leased
  left join lead_offers on lead_offers.id = leased.offer_id
  join leads on leads.id = coalesce(lead_offers.lead_id, leased.lead_id)
  left join lead_sources on lead_sources.id = leads.source_id
  order by leased.due_at, leased.id`;

/** Waits for a claim of the lead that is in progress, so that the alert is sent either before the claim or not at all. */
export const alertCheck: FinalCheck = {
  isAlone: true,
  joins: `
    left join lead_offers on lead_offers.id = t.offer_id
    cross join lateral (
      select claimed_by_user_id, claimed_via from leads
      where leads.id = coalesce(lead_offers.lead_id, t.lead_id) for share
    ) lead`,
  obstacles: [
    {
      when: `claimed_by_user_id is not null
        and not (claimed_via = 'Auto' and claimed_by_user_id = lead_offers.user_id)`,
      state: 'Dropped',
      reason: leadWasClaimed,
    },
    {
      when: `t.offer_id is not null and claimed_by_user_id is null and not ${isOpen('lead_offers')}`,
      state: 'Dropped',
      reason: 'The offer is void.',
    },
  ],
};

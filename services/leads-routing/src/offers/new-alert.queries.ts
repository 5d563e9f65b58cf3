import { isBeforeRestoration, withheldReason } from '@crm/data';
import { causeText, type TransactionContext } from '@crm/service';

interface NewAlert {
  readonly offer_id: number;
  readonly kind: string;
  readonly due_at: Date;
}

/** Assigns ids in the given order, which is the order in which alerts due at the same time are sent. */
export async function addAlerts(
  ctx: Pick<TransactionContext, 'query' | 'requestId'>,
  alerts: readonly NewAlert[],
): Promise<void> {
  await ctx.query(
    `insert into lead_alerts (offer_id, kind, owner_user_id, due_at, next_attempt_at, cause)
     select offer_id, kind, o.creator_user_id, due_at, due_at, $4::jsonb
     from unnest($1::int[], $2::text[], $3::timestamptz[]) with ordinality as alert (offer_id, kind, due_at, position)
     join lead_offers o on o.id = offer_id
     order by position`,
    [
      alerts.map(({ offer_id }) => offer_id),
      alerts.map(({ kind }) => kind),
      alerts.map(({ due_at }) => due_at.toISOString()),
      causeText(ctx),
    ],
  );
}

const isWithheld = isBeforeRestoration('$3::timestamptz');

/**
 * Adds an e-mail that tells the creator of a lead that nobody took it. If its last turn ended before a restoration, the
 * e-mail may have been sent already, so it is not sent.
 */
export async function alertCreator(
  ctx: Pick<TransactionContext, 'query' | 'requestId'>,
  leadId: number,
  runsOutAt: Date | null = null,
): Promise<void> {
  await ctx.query(
    `insert into lead_alerts (lead_id, kind, owner_user_id, due_at, next_attempt_at, cause, state, reason)
     select id, 'Email', creator_user_id, now(), now(), $2::jsonb,
       case when ${isWithheld} then 'Failed' else 'Waiting' end, case when ${isWithheld} then $4::text end
     from leads where id = $1::int`,
    [leadId, causeText(ctx), runsOutAt?.toISOString() ?? null, withheldReason],
  );
}

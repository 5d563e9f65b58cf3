import { type DeliveryConfig, digestOf } from '@crm/delivery';
import type { Context } from '@crm/service';
import { addressed } from '../dispatch/addressed.ts';
import { contactableOf, rulesOf } from '../dispatch/communication-plan.ts';
import { unsubscribeUrlOf } from '../dispatch/email-body.ts';
import { recentSendings, type Sending } from '../dispatch/limits.queries.ts';
import { loadParticipants, type Participants } from '../dispatch/load-participants.ts';
import { decide } from '../sending-rules/decide.ts';
import { fullSince } from '../sending-rules/full-since.ts';
import type { CommunicationDraft, Plan } from './drafts.ts';

export interface Outcome {
  readonly moved_to: Date | null;
  readonly is_refused: boolean;
  readonly reason: string | null;
}

/**
 * The expected outcome of each message, as far as it is known now, in the order in which they would be sent. What the account
 * sends to others until then is unknown, so its limits are ignored.
 */
export async function outcomesOf(
  ctx: Context,
  { contact_id, campaign_id, user_id }: Plan,
  drafts: readonly CommunicationDraft[],
  delivery: DeliveryConfig,
): Promise<ReadonlyMap<CommunicationDraft, Outcome>> {
  const facts = { contact_id, enrolled_by_user_id: user_id };
  const concerned = drafts.map(({ type, send_from_user_id }) => ({ ...facts, type, send_from_user_id }));
  const participants = await loadParticipants(ctx, concerned);
  const number = participants.recipients.get(contact_id)?.mobile_phone_e164 ?? null;
  const sendings = await recentSendings(ctx.query, contact_id, number, campaign_id);
  const inOrder = drafts.toSorted((a, b) => a.send_at.getTime() - b.send_at.getTime());
  return new Map(
    inOrder.map((draft) => [draft, outcomeOf({ ...draft, ...facts }, participants, sendings, delivery)]),
  );
}

type Addressed = CommunicationDraft & { readonly contact_id: number; readonly enrolled_by_user_id: number };

/** The outcome of a message after others; it is added to them if it would be sent. */
function outcomeOf(
  draft: Addressed,
  participants: Participants,
  sendings: Sending[],
  delivery: DeliveryConfig,
): Outcome {
  const rules = rulesOf(delivery);
  const found = addressed({ ...draft, unsubscribe_url: unsubscribeUrlOf(delivery) }, participants);
  if ('obstacle' in found) return { moved_to: null, is_refused: true, reason: found.obstacle };
  const { type } = draft;
  const { to, objection, message } = found;
  const at = draft.send_at.toTemporalInstant();
  const alike = sendings.filter((sending) => sending.type === type);
  const { texts, emails } = rules.maxPerContact;
  const fullSinceOf = (some: readonly Sending[]) =>
    fullSince(
      some.map((sending) => sending.at),
      type === 'Text Contact' ? texts : emails,
      at,
    );
  const digest = type === 'Text Contact' ? digestOf(message.body) : null;
  const isRepeated = digest !== null && isAmong(sendings, { digest, to }, at);
  const contactFullSince = fullSinceOf(alike.filter(({ is_own }) => is_own));
  const numberFullSince = fullSinceOf(alike.filter((sending) => sending.to === to));
  const full = { contactFullSince, numberFullSince };
  const situation = { type, to, objection, contact: contactableOf(found), ...full, isRepeated };
  const decision = decide({ ...situation, accountFullSince: null }, rules, at);
  if (decision.is === 'refuse') return { moved_to: null, is_refused: true, reason: decision.because };
  const sentAt = decision.is === 'move' ? decision.until : at;
  sendings.push({ is_own: true, type, at: sentAt, digest, to });
  if (decision.is === 'send') return { moved_to: null, is_refused: false, reason: null };
  return {
    moved_to: new Date(sentAt.epochMilliseconds),
    is_refused: false,
    reason: `It waits, because ${decision.because}.`,
  };
}

/** Whether the same text goes to the same number within the day before a moment. */
const isAmong = (
  sendings: readonly Sending[],
  { digest, to }: Pick<Sending, 'digest' | 'to'>,
  at: Temporal.Instant,
) =>
  sendings.some(
    (one) =>
      one.digest === digest && one.to === to && Temporal.Instant.compare(one.at.add({ hours: 24 }), at) > 0,
  );

import { type Condition, noRecord } from '@crm/contract';
import { communicationCompleted, communicationReopened } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import { isEnded } from '../enrolment-ends/enrolment-end.queries.ts';
import { beingSent } from './communication.api.ts';
import { Communication } from './communication.entity.ts';
import { campaignOf, communicationRows } from './communication.queries.ts';
import { communicationEventData } from './communication-event-data.ts';

interface Wanted {
  readonly id: number;
  readonly contact_id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * Marks a communication as done or not done; changes nothing if it already is. Throws NotFound, or Conflict while it is being
 * sent.
 */
export async function markCommunication(
  ctx: Context,
  { contact_id, ...wanted }: Wanted,
  is_active: boolean | undefined,
): Promise<void> {
  const hasEnded = is_active ? await isStopped(ctx, contact_id, wanted.id) : false;
  const communication = await loadForChange(ctx, Communication, communicationRows, wanted, { contact_id });
  if (is_active === undefined || is_active === communication.is_active) return;
  if (is_active) communication.reopen(ctx.now(), hasEnded);
  else {
    if (communication.isBeingSent()) throw beingSent({ retryAfter: 60 });
    communication.complete(ctx.user.id, ctx.now());
  }
  communication.modified_at = ctx.now();
  await ctx.em.flush();
  publish(
    ctx,
    is_active ? communicationReopened : communicationCompleted,
    communication,
    communicationEventData(communication),
  );
}

/** Called before the communication is locked, because a stop acquires its locks in the same order. */
async function isStopped({ query }: Context, contact_id: number, id: number): Promise<boolean> {
  const campaign = await campaignOf(query, contact_id, id);
  if (!campaign) throw noRecord(id);
  return isEnded(query, [
    { what: 'campaign contact', id: campaign.campaign_contact_id },
    { what: 'campaign', id: campaign.campaign_id },
  ]);
}

import { type Condition, noRecord } from '@crm/contract';
import { communicationCompleted, communicationReopened } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import { isEnded } from '../enrolments/enrolment-end.queries.ts';
import { beingSent } from './communication.api.ts';
import { Communication } from './communication.entity.ts';
import { belongingOf, communicationRows } from './communication.queries.ts';
import { communicationEventData } from './communication-event-data.ts';

interface Wanted {
  readonly id: number;
  readonly contact_id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * Marks a communication as done or as not done; as it is already, it stays as it is. Throws NotFound, and Conflict while
 * it is being handed over.
 */
export async function markCommunication(
  ctx: Context,
  { contact_id, ...wanted }: Wanted,
  is_active: boolean | undefined,
): Promise<void> {
  const ended = is_active ? await isStopped(ctx, contact_id, wanted.id) : false;
  const communication = await loadForChange(ctx, Communication, communicationRows, wanted, { contact_id });
  if (is_active === undefined || is_active === communication.is_active) return;
  if (is_active) communication.reopen(ctx.now(), ended);
  else {
    if (communication.isBeingSent()) throw beingSent();
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

/** Asked before the communication is held, as a stop takes the two in this order as well. */
async function isStopped({ query }: Context, contact_id: number, id: number): Promise<boolean> {
  const belonging = await belongingOf(query, contact_id, id);
  if (!belonging) throw noRecord(id);
  return isEnded(query, [
    { what: 'campaign contact', id: belonging.campaign_contact_id },
    { what: 'campaign', id: belonging.campaign_id },
  ]);
}

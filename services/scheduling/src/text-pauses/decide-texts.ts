import type { Context } from '@crm/service';
import type { z } from 'zod';
import { addOptOutRequest, type RequestedOptOut } from '../opt-outs/opt-out-request.queries.ts';
import { contacts } from '../peers.ts';
import type { decision } from './text-pause.api.ts';
import { endPause } from './text-pause.queries.ts';

export type Decision = z.output<typeof decision>;

/** The mobile number of a contact in E.164, regardless of who may see the contact. */
export async function numberOf(ctx: Context, contact_id: number): Promise<string | null> {
  const [contact] = await contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [contact_id] });
  return contact?.mobile_phone_e164 ?? null;
}

/**
 * Ends the pause of a number, and stores the decision that contacts has to receive; undefined if there is no pause, or somebody
 * else has ended it.
 */
export async function decideTexts(
  ctx: Context,
  number: string,
  texts: Decision,
): Promise<RequestedOptOut | undefined> {
  const requested_at = ctx.now().toISOString();
  if (!(await endPause(ctx.query, number, requested_at))) return undefined;
  return addOptOutRequest(ctx.query, { what: `${texts} texts`, destination: number, requested_at }, ctx);
}

import type { Context } from '@crm/service';
import type { z } from 'zod';
import { contacts } from '../peers.ts';
import type { decision } from './text-pause.api.ts';
import { isPaused } from './text-pause.queries.ts';

export type Decision = z.output<typeof decision>;

/** The mobile number of a contact in E.164, whoever sees it. */
export async function numberOf(ctx: Context, contact_id: number): Promise<string | null> {
  const [contact] = await contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [contact_id] });
  return contact?.mobile_phone_e164 ?? null;
}

/**
 * Opts a number out of texts if that is decided, before its pause ends, so that nothing is sent in between. Returns whether
 * there is anything to decide.
 */
export async function prepareDecision(ctx: Context, number: string, texts: Decision): Promise<boolean> {
  if (!(await isPaused(ctx.query, number))) return false;
  const request = { number, at: ctx.now().toISOString() };
  const { optOuts } = contacts.asSystem(ctx);
  if (texts === 'end') await optOuts.add(request);
  await optOuts.resume(request);
  return true;
}

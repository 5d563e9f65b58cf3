import { importEnded } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { eventData } from './create-import.ts';
import { endImport } from './portion.queries.ts';

/** Ends an import of a user, unless it has ended. */
export async function cancelImport(ctx: Context, userId: number, id: number): Promise<void> {
  const ended = await endImport(ctx.query, id, { status: 'Canceled', error: null, now: ctx.now() });
  if (ended) publish(ctx, importEnded, ended, eventData({ id, user_id: userId }));
}

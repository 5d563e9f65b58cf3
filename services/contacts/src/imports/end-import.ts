import { queryIn } from '@crm/data';
import { importEnded } from '@crm/events';
import { type Publishing, publish } from '@crm/service';
import { eventData } from './create-import.ts';
import { type End, noteEnd } from './portion.queries.ts';

/** Ends an import, unless it has ended. */
export async function endImport(ctx: Publishing, id: number, end: Omit<End, 'now'>): Promise<void> {
  const ended = await noteEnd(queryIn(ctx.em), id, { ...end, now: ctx.now() });
  if (ended) publish(ctx, importEnded, ended, eventData(ended));
}

import { communicationStopped } from '@crm/events';
import { publish, type TransactionContext } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import { noteContactReplies, noteReply, type Reply, stopTexts } from './reply.queries.ts';

/**
 * Stops the texts to contacts that are not sent after a reply. A repeated reply does not stop what was created or reopened since.
 */
export async function stopByReply(
  ctx: TransactionContext,
  reply: Reply,
  contactIds: readonly number[],
): Promise<number[]> {
  if (!(await noteReply(ctx.query, reply))) return [];
  await noteContactReplies(ctx.query, reply, contactIds);
  const stopped = await stopTexts(ctx.query, reply, contactIds);
  for (const one of stopped) publish(ctx, communicationStopped, one, communicationEventData(one));
  return stopped.map(({ id }) => id);
}

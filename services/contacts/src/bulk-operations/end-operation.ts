import { queryIn } from '@crm/data';
import { bulkOperationEnded } from '@crm/events';
import { type Publishing, publish } from '@crm/service';
import { noteEnd } from './portion.queries.ts';

/** Ends an operation and publishes that, unless it has ended. */
export async function endOperation(
  ctx: Publishing,
  operationId: number,
  status: 'Done' | 'Failed' | 'Canceled',
): Promise<void> {
  const ended = await noteEnd(queryIn(ctx.em), operationId, { status, now: ctx.now() });
  if (!ended) return;
  const { user_id, action, total } = ended;
  publish(ctx, bulkOperationEnded, ended, { bulk_operation_id: operationId, user_id, action, total });
}

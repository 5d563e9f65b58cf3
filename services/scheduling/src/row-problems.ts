import type { Query } from '@crm/data';
import { problemsIn } from '@crm/dispatch';
import type { RowProblem } from '@crm/service';
import { communicationTable } from './dispatch/communication-dispatch.queries.ts';
import { postponedRows } from './postponed/postponed.queries.ts';
import { pausedRows } from './sending-pauses/paused-rows.ts';
import { taskAlertTable } from './task-alerts/task-alert.queries.ts';
import { noticeTable } from './text-notices/text-notice.queries.ts';

/** The rows that cannot be processed, for the operator. */
export async function rowProblems(query: Query): Promise<RowProblem[]> {
  const unsent = await Promise.all([
    problemsIn(query, communicationTable),
    problemsIn(query, taskAlertTable),
    problemsIn(query, noticeTable),
  ]);
  return [...(await postponedRows(query)), ...unsent.flat(), ...(await pausedRows(query))];
}

import { finishReport, type Received, receiveStatus } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { reportedQueues } from './reported-queues.ts';
import { statusApi } from './status.api.ts';

export const statusHandlers = (settings: Settings) => {
  const queues = reportedQueues(settings);
  return implement(statusApi, {
    report: inSteps(statusApi.report, {
      act: (ctx, request) => receiveStatus(ctx, request, settings.delivery, queues),
      finish: (ctx, received: Received) => finishReport(ctx, received, queues),
    }),
  });
};

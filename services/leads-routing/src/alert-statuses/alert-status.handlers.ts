import { finishReport, type Received, receiveStatus } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { alertStatusApi } from './alert-status.api.ts';
import { reportedQueues } from './reported-queues.ts';

export const alertStatusHandlers = (settings: Settings) => {
  const queues = reportedQueues(settings);
  return implement(alertStatusApi, {
    report: inSteps(alertStatusApi.report, {
      act: (ctx, request) => receiveStatus(ctx, request, settings.delivery, queues),
      finish: (ctx, received: Received) => finishReport(ctx, received, queues),
    }),
  });
};

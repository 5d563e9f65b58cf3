import { finishReport, type Received, receiveStatus, reportedIn } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import { alertQueue } from '../alerts/dispatcher.ts';
import type { Settings } from '../settings.ts';
import { alertStatusApi } from './alert-status.api.ts';

export const alertStatusHandlers = (settings: Settings) => {
  const queues = [reportedIn(alertQueue(settings))];
  return implement(alertStatusApi, {
    report: inSteps(alertStatusApi.report, {
      act: (ctx, request) => receiveStatus(ctx, request, settings.delivery, queues),
      finish: (ctx, received: Received) => finishReport(ctx, received, queues),
    }),
  });
};

import { receiveStatus, reportedIn } from '@crm/dispatch';
import { implement } from '@crm/service';
import { alertQueue } from '../alerts/dispatcher.ts';
import type { Settings } from '../settings.ts';
import { alertStatusApi } from './alert-status.api.ts';

export const alertStatusHandlers = (settings: Settings) =>
  implement(alertStatusApi, {
    report: async (ctx, request) =>
      (await receiveStatus(ctx, request, settings.delivery, [reportedIn(alertQueue(settings))])).answer,
  });

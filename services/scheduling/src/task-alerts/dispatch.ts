import { randomUUID } from 'node:crypto';
import { openDelivery } from '@crm/delivery';
import { again, type Dispatch, providerMs } from '@crm/dispatch';
import type { WorkerContext } from '@crm/service';
import type { Settings } from '../settings.ts';
import type { Channel } from './channel.ts';
import { fault } from './fault.ts';
import { loadParticipants } from './load-participants.ts';
import { outcomeOf, sendAlert } from './send-alert.ts';
import { type DueAlert, leaseDue, releaseAbandoned, settle } from './task-alert.queries.ts';

/** What an instance does with alerts of tasks that are due. */
export function openTaskAlerts(
  settings: Settings,
  { database: { query }, peers, log }: WorkerContext,
): Dispatch<Channel, DueAlert> {
  const send = openDelivery({ ...settings.delivery, timeoutMs: providerMs });
  return {
    async take(free) {
      await releaseAbandoned(query, settings.delivery.carrier.honoursKeys);
      return leaseDue(query, free);
    },

    async finish(alerts, ended) {
      await fault('task-alert.leased');
      const caller = { peers, requestId: randomUUID() };
      const participants = await loadParticipants(caller, alerts).catch((error: unknown) => {
        log.warn({ err: error }, 'alerts of tasks wait because another service does not answer');
      });
      const one = (alert: DueAlert) =>
        participants
          ? sendAlert({ ...settings, query, send }, alert, participants)
          : settle(query, alert, outcomeOf(again(alert, 'Another service did not answer.')));
      const outcomes = await Promise.allSettled(
        alerts.map((alert) => one(alert).finally(() => ended(alert))),
      );
      // A row that failed here stays leased until its lease expires, as if the process had been killed.
      const failure = outcomes.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    },

    close: () => send.close(),
  };
}

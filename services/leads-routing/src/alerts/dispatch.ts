import { randomUUID } from 'node:crypto';
import { openDelivery } from '@crm/delivery';
import { again, type Dispatch, providerMs } from '@crm/dispatch';
import { isCollision, type WorkerContext } from '@crm/service';
import type { Settings } from '../settings.ts';
import { type AlertKind, type DueAlert, leaseDue, releaseAbandoned, settle } from './alert.queries.ts';
import { assign } from './assign.ts';
import { fault } from './fault.ts';
import { loadParticipants } from './load-participants.ts';
import { sendAlert } from './send-alert.ts';

/** How an instance leases and sends due alerts. */
export function openDispatch(
  settings: Settings,
  { database, peers, clock, log }: WorkerContext,
): Dispatch<AlertKind, DueAlert> {
  const send = openDelivery({ ...settings.delivery, timeoutMs: providerMs });
  const { query } = database;

  async function finish(alerts: readonly DueAlert[], ended: (alert: DueAlert) => void): Promise<void> {
    const requestId = randomUUID();
    await fault('alert.leased');
    const participants = await loadParticipants({ peers, requestId }, alerts).catch((error: unknown) => {
      log.warn({ err: error }, 'alerts have to wait because another service did not respond');
    });
    const one = async (alert: DueAlert) => {
      if (!participants) return settle(query, alert, again(alert, 'Another service did not respond.'));
      if (alert.kind !== 'Assign') return sendAlert({ ...settings, query, send }, alert, participants);
      return assign({ database, clock, requestId }, alert, participants).catch((error: unknown) => {
        if (!isCollision(error)) throw error;
        return settle(query, alert, again(alert, 'Somebody else was claiming the lead.'));
      });
    };
    const outcomes = await Promise.allSettled(alerts.map((alert) => one(alert).finally(() => ended(alert))));
    // An alert that failed here stays leased until its lease ends, as if the process had been killed.
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  return {
    async take(free) {
      await releaseAbandoned(query, settings.delivery.carrier.honoursKeys);
      return leaseDue(query, free);
    },
    finish,
    close: () => send.close(),
  };
}

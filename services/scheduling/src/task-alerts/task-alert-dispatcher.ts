import { dispatcher } from '@crm/dispatch';
import type { Settings } from '../settings.ts';
import type { Channel } from './channel.ts';
import { openTaskAlerts } from './dispatch.ts';
import type { DueAlert } from './task-alert.queries.ts';

const slots: Readonly<Record<Channel, number>> = { Email: 48, Text: 48, Phone: 24 };

/** Sends reminders and notifications to assignees. Any number of instances may run. */
export const taskAlertDispatcher = (settings: Settings) =>
  dispatcher<Channel, DueAlert>({
    what: 'alerts of tasks',
    slots,
    laneOf: ({ channel }) => channel,
    open: (workerContext) => openTaskAlerts(settings, workerContext),
  }).worker;

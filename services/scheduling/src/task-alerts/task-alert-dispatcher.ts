import { dispatcher, type Queue, usualSlots } from '@crm/dispatch';
import { noteUnreachable } from '../opt-outs/note-unreachable.ts';
import type { Settings } from '../settings.ts';
import { alertPlan } from './alert-plan.ts';
import type { Channel } from './channel.ts';
import { loadParticipants, type Participants } from './load-participants.ts';
import { DueAlert, dueAlertSelect, taskAlertCheck, taskAlertTable } from './task-alert.queries.ts';

export const taskAlertQueue: Queue<DueAlert, Participants> = {
  what: 'alerts of tasks',
  name: 'task-alert',
  statusPath: '/callbacks/statuses/',
  slots: usualSlots satisfies Record<Channel, number>,
  laneOf: ({ channel }) => channel,
  table: taskAlertTable,
  row: DueAlert,
  select: dueAlertSelect,
  check: taskAlertCheck,
  load: loadParticipants,
  plan: alertPlan,
  recordBlock: noteUnreachable,
  hasOtherWays: true,
};

/** Sends reminders and notifications to assignees. Any number of instances may run. */
export const taskAlertDispatcher = ({ delivery }: Settings) => dispatcher(taskAlertQueue, delivery);

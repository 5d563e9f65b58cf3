import { withoutRights } from '@crm/auth';
import { dispatcher, type Queue, usualSlots } from '@crm/dispatch';
import { causeIn } from '@crm/service';
import type { AlertKind } from '../rollout/plan.ts';
import type { Settings } from '../settings.ts';
import { alertCheck, alertTable, DueAlert, dueAlertSelect } from './alert.queries.ts';
import { alertPlan } from './alert-plan.ts';
import { assign } from './assign.ts';
import { loadParticipants, type Participants } from './load-participants.ts';
import { noteUnreachable } from './note-unreachable.ts';

export const alertQueue = (settings: Settings): Queue<DueAlert, Participants> => ({
  what: 'alerts',
  name: 'alert',
  statusPath: '/callbacks/alert-statuses/',
  slots: { Assign: 8, ...usualSlots } satisfies Record<AlertKind, number>,
  laneOf: ({ kind }) => kind,
  table: alertTable,
  row: DueAlert,
  select: dueAlertSelect,
  check: alertCheck,
  load: loadParticipants,
  plan: (alert, participants, context) => {
    const user = participants.users.get(alert.user_id) ?? withoutRights(alert.user_id);
    return (
      alertPlan(settings, alert, participants) ?? {
        run: () => assign(context, { ...alert, user }, causeIn(alert).request_id),
      }
    );
  },
  recordBlock: noteUnreachable,
  hasOtherWays: true,
});

/** Sends alerts when they are due. Any number of instances may run. */
export const alertDispatcher = (settings: Settings) => dispatcher(alertQueue(settings), settings.delivery);

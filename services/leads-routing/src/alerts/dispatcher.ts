import { dispatcher } from '@crm/dispatch';
import type { Settings } from '../settings.ts';
import type { AlertKind, DueAlert } from './alert.queries.ts';
import { openDispatch } from './dispatch.ts';

const slots: Readonly<Record<AlertKind, number>> = { Assign: 8, Email: 48, Text: 48, Phone: 24 };

/** Sends alerts when they are due. Any number of instances may run. */
export const alertDispatcher = (settings: Settings) =>
  dispatcher<AlertKind, DueAlert>({
    what: 'alerts',
    slots,
    laneOf: ({ kind }) => kind,
    open: (workerContext) => openDispatch(settings, workerContext),
  });

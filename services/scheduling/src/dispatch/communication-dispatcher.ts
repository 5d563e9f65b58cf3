import { dispatcher } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { Settings } from '../settings.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';
import { openDispatch } from './dispatch.ts';

const slots: Readonly<Record<CommunicationType, number>> = {
  'Email Contact': 96,
  'Text Contact': 96,
  'Call Contact': 48,
};

/** Sends communications when they are due. Any number of instances may run. */
export const communicationDispatcher = (settings: Settings) =>
  dispatcher<CommunicationType, DueCommunication>({
    what: 'communications',
    slots,
    laneOf: ({ type }) => type,
    open: (workerContext) => openDispatch(settings, workerContext),
  }).worker;

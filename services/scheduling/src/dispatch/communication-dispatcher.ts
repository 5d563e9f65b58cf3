import { dispatcher, type Queue } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import { noteEnd } from '../opt-outs/note-end.ts';
import { noteUnreachable } from '../opt-outs/note-unreachable.ts';
import type { Settings } from '../settings.ts';
import {
  communicationCheck,
  communicationTable,
  DueCommunication,
  dueCommunicationSelect,
  Settled,
} from './communication-dispatch.queries.ts';
import { communicationPlan } from './communication-plan.ts';
import { loadParticipants, type Participants } from './load-participants.ts';
import { publishOutcomes } from './publish-outcomes.ts';
import { findingSenders } from './senders-due.queries.ts';
import { takeTurns } from './turns.ts';

export const communicationQueue = ({
  delivery,
}: Settings): Queue<CommunicationType, DueCommunication, Participants, Settled> => ({
  what: 'communications',
  name: 'communication',
  statusPath: '/callbacks/statuses/',
  slots: { 'Email Contact': 192, 'Text Contact': 224, 'Call Contact': 112 },
  emails: 'Email Contact',
  laneOf: ({ type }) => type,
  table: communicationTable,
  row: DueCommunication,
  select: dueCommunicationSelect(delivery.rules),
  check: communicationCheck(delivery.rules),
  load: loadParticipants,
  plan: (due, participants, { clock }) => communicationPlan(delivery, due, participants, clock()),
  // A call goes to the sender, and all else to a contact.
  noteEnd: (peers, ended, at) =>
    (ended.lane === 'Call Contact' ? noteUnreachable : noteEnd)(peers, ended, at),
  shares: (query) => takeTurns(findingSenders(query)),
  settled: Settled,
  publish: publishOutcomes,
});

/** Sends communications when they are due. Any number of instances may run. */
export const communicationDispatcher = (settings: Settings) =>
  dispatcher(communicationQueue(settings), settings.delivery).worker;

import { dispatcher, type Queue } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import { noteUnreachable } from '../opt-outs/note-unreachable.ts';
import { recordBlock } from '../opt-outs/record-block.ts';
import type { Settings } from '../settings.ts';
import {
  communicationCheck,
  communicationTable,
  DueCommunication,
  dueCommunicationSelect,
  Settled,
  settledColumnsOf,
} from './communication-dispatch.queries.ts';
import { communicationPlan } from './communication-plan.ts';
import { loadParticipants, type Participants } from './load-participants.ts';
import { publishOutcomes } from './publish-outcomes.ts';

export const communicationQueue = ({ delivery }: Settings): Queue<DueCommunication, Participants> => ({
  what: 'communications',
  name: 'communication',
  statusPath: '/callbacks/statuses/',
  slots: { 'Email Contact': 192, 'Text Contact': 224, 'Call Contact': 112 } satisfies Record<
    CommunicationType,
    number
  >,
  emails: 'Email Contact',
  laneOf: ({ type }) => type,
  table: communicationTable,
  row: DueCommunication,
  select: dueCommunicationSelect(delivery.rules),
  check: communicationCheck(delivery.rules),
  load: loadParticipants,
  plan: (due, participants, { clock }) => communicationPlan(delivery, due, participants, clock()),
  // A call goes to the sender, and everything else to a contact.
  recordBlock: (peers, blocked, at) =>
    (blocked.lane === 'Call Contact' ? noteUnreachable : recordBlock)(peers, blocked, at),
  outcomes: {
    columns: `${settledColumnsOf('t')}, t.cause, outcome.until is not null as is_moved`,
    publish: (origin, settled) =>
      publishOutcomes(
        origin,
        settled.map((row) => Settled.parse(row)),
      ),
  },
});

/** Sends communications when they are due. Any number of instances may run. */
export const communicationDispatcher = (settings: Settings) =>
  dispatcher(communicationQueue(settings), settings.delivery);

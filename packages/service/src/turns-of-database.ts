import { fairShare, type Turns } from './fair-share.ts';

/** The turns of users at the connections of a service that are for requests. */
export interface TurnsOfDatabase {
  /** For what reads outside a transaction. */
  readonly reads: Turns;
  /** For transactions and other statements. */
  readonly changes: Turns;
  /** How many calls wait although their user may have a connection. */
  waiting(): number;
}

/** At once: less than half of the connections. Waiting: more than a client has connections. */
const ofUser = { atOnce: 4, waiting: 100 };

/**
 * However many users run slow reads, some connections remain for changes and for calls from services. A user may run two reads
 * at once, or only one after a slow read; more would take database CPU from others.
 */
const ofReads = { ...ofUser, atOnce: 2, inAll: 7, longMs: 25 };

export function turnsOfDatabase(): TurnsOfDatabase {
  const { inTurn: changes } = fairShare(ofUser);
  const { inTurn: inTurnOfReads, waiting } = fairShare(ofReads);
  return { changes, reads: (user, work) => changes(user, () => inTurnOfReads(user, work)), waiting };
}

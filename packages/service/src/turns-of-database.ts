import { fairShare, type Turns } from './fair-share.ts';

/** The turns of users at the connections of a service that are for requests. */
export interface TurnsOfDatabase {
  /** For what reads outside a transaction. */
  readonly reads: Turns;
  /** For transactions and other statements. */
  readonly changes: Turns;
  /** How much waits although its user may have a connection. */
  waiting(): number;
}

/** Less than half of the connections. What waits is more than a client has connections. */
const ofUser = { atOnce: 4, waiting: 100 };

/**
 * However many users read what takes long, the other connections remain for changes and for calls of services. One of them
 * reads with two, and with one after what took longer than most lists: each further one would take a processor of the database
 * from all others.
 */
const ofReads = { ...ofUser, atOnce: 2, inAll: 7, longMs: 25 };

export function turnsOfDatabase(): TurnsOfDatabase {
  const { inTurn: changes } = fairShare(ofUser);
  const { inTurn: inTurnOfReads, waiting } = fairShare(ofReads);
  return { changes, reads: (user, work) => changes(user, () => inTurnOfReads(user, work)), waiting };
}

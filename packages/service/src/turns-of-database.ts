import { type FairShare, fairShare } from './fair-share.ts';

/**
 * At once: less than half of the connections. Waiting: more than a client has connections. However many users run slow reads,
 * some connections remain for changes and for calls from services. A user may run two reads at once, or only one after a slow
 * read; more would take database CPU from others.
 */
const share = { atOnce: 4, waiting: 100, reads: { atOnce: 2, inAll: 7, longMs: 25 } };

/** The turns of users at the connections of a service that are for requests. */
export const turnsOfDatabase = (): FairShare => fairShare(share);

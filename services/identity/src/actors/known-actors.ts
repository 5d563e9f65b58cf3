import type { Actor } from '@crm/auth';
import { batched, setLatest } from '@crm/client';
import type { Query } from '@crm/data';
import { isRecorded } from '@crm/telemetry';
import {
  actorByTokenHash,
  actorByUserId,
  areRightsAsIn,
  type Holder,
  type KnownUser,
  versionOfRights,
} from './actor.queries.ts';

/** Of the most recent tokens, or users: an actor with many teammates has some kilobytes. */
const maxHolders = 5_000;

interface Known {
  readonly query: Query;
  readonly holder: Holder;
}

/**
 * Finds the holders of tokens. One that is known costs a look at the version of all rights in place of the whole
 * statement: while it is the same and the token has not expired, the statement would return the same. Those who ask
 * while somebody else's look is on its way share the next one, which begins after all of them have asked.
 */
export function knownActors(subAccountKey: string) {
  const together = batched(
    async (all: readonly Known[]) =>
      all[0]
        ? areRightsAsIn(
            all[0].query,
            all.map(({ holder }) => holder),
          )
        : [],
    // So that a trace is whole, and has no part in others.
    { isShared: () => true, patienceMs: 100, isAlone: isRecorded },
  );
  // Alone, with the time of its own request, if that of the first one did not suffice.
  const isCurrent = (one: Known) =>
    together(one).catch(async () => (await areRightsAsIn(one.query, [one.holder]))[0]);
  let version = '';
  const holders = new Map<string, Holder>();
  return async (query: Query, hash: string): Promise<Holder | undefined> => {
    const known = holders.get(hash);
    if (known && (await isCurrent({ query, holder: known }))) return known;
    const found = await actorByTokenHash(query, hash, subAccountKey);
    if (found && found.version !== version) {
      version = found.version;
      holders.clear();
    }
    if (found) setLatest(holders, hash, found, maxHolders);
    else holders.delete(hash);
    return found;
  };
}

/** Finds users as actors that only read, without those who are disabled or unknown. Known ones cost one look for all of them. */
export function knownUsers() {
  const known = new Map<number, KnownUser>();
  const find = async (query: Query, id: number, version: string | undefined) => {
    const one = known.get(id);
    if (one && one.version === version) return one;
    const found = await actorByUserId(query, id);
    if (found) setLatest(known, id, found, maxHolders);
    else known.delete(id);
    return found;
  };
  return async (query: Query, ids: readonly number[]): Promise<Actor[]> => {
    // First, so that what is read after it is as new.
    const version = await versionOfRights(query);
    const found = await Promise.all(ids.map((id) => find(query, id, version)));
    return found.flatMap((one) => (one ? [one.actor] : []));
  };
}

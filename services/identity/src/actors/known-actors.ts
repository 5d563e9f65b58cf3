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

/** For the most recent tokens, or users. An actor with many teammates takes some kilobytes. */
const maxHolders = 5_000;

interface Known {
  readonly query: Query;
  readonly holder: Holder;
}

/**
 * Finds the holders of tokens. A cached holder costs a check of the version of all rights instead of the whole
 * statement: while the version is the same and the token has not expired, the statement would return the same. Requests
 * that arrive while a check is in progress share the next one, which begins after all of them have arrived.
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
    // A traced request checks alone, so that its trace is complete and contains nothing of other requests.
    { isShared: () => true, patienceMs: 100, isAlone: isRecorded },
  );
  // The shared check has the time limit of its first request. If it fails, the check is repeated alone, within its own
  // limit.
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

/**
 * Finds users as actors with the read scope only; disabled and unknown ones are left out. One check of the version
 * covers all cached users.
 */
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
    // Read first, so that everything read afterwards is at least as new as this version.
    const version = await versionOfRights(query);
    const found = await Promise.all(ids.map((id) => find(query, id, version)));
    return found.flatMap((one) => (one ? [one.actor] : []));
  };
}

import type { Actor } from '@crm/auth';
import type { Query } from '@crm/data';
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

/**
 * Finds the holders of tokens. One that is known costs a look at the version of all rights in place of the whole statement:
 * while it is the same and the token has not expired, the statement would return the same.
 */
export function knownActors() {
  let version = '';
  const holders = new Map<string, Holder>();
  return async (query: Query, hash: string): Promise<Holder | undefined> => {
    const known = holders.get(hash);
    if (known && (await areRightsAsIn(query, known))) return known;
    const found = await actorByTokenHash(query, hash);
    if (found && found.version !== version) {
      version = found.version;
      holders.clear();
    }
    holders.delete(hash);
    if (found) holders.set(hash, found);
    const [oldest] = holders.keys();
    if (oldest !== undefined && holders.size > maxHolders) holders.delete(oldest);
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
    known.delete(id);
    if (found) known.set(id, found);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size > maxHolders) known.delete(oldest);
    return found;
  };
  return async (query: Query, ids: readonly number[]): Promise<Actor[]> => {
    // First, so that what is read after it is as new.
    const version = await versionOfRights(query);
    const found = await Promise.all(ids.map((id) => find(query, id, version)));
    return found.flatMap((one) => (one ? [one.actor] : []));
  };
}

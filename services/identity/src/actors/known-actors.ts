import type { Query } from '@crm/data';
import { actorByTokenHash, areRightsAsIn, type Holder } from './actor.queries.ts';

/** Of the most recent tokens: an actor with many teammates has some kilobytes. */
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

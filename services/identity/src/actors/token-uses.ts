import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { noteUses } from './actor.queries.ts';

const everyMs = 10_000;

export interface TokenUses {
  note(tokenId: number, at: Date): void;
  /** Stores the noted uses. After a failure they are kept for the next time. */
  store(query: Query): Promise<void>;
  readonly worker: Worker;
}

/** Collects the uses of tokens and stores them every ten seconds, and once more when the service stops. */
export function tokenUses(): TokenUses {
  let uses = new Map<number, Date>();
  const store: TokenUses['store'] = async (query) => {
    if (uses.size === 0) return;
    const storing = uses;
    uses = new Map();
    try {
      await noteUses(query, storing);
    } catch (error) {
      uses = new Map([...storing, ...uses]);
      throw error;
    }
  };
  return {
    note: (tokenId, at) => void uses.set(tokenId, at),
    store,
    worker: async ({ database, log }) => {
      const storeNow = () => store(database.query);
      const storing = repeat('store when tokens were used', everyMs, storeNow, log);
      return {
        async stop() {
          await storing.stop();
          await storeNow();
        },
      };
    },
  };
}

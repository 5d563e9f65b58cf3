import { repeat, type Worker } from '@crm/service';
import { noteUses } from './actor.queries.ts';

const everyMs = 10_000;

export interface TokenUses {
  note(tokenId: number, at: Date): void;
  readonly worker: Worker;
}

/** Collects when tokens were used and stores it every ten seconds, and once more when the service stops. */
export function tokenUses(): TokenUses {
  let uses = new Map<number, Date>();
  return {
    note: (tokenId, at) => void uses.set(tokenId, at),
    worker: async ({ database, log }) => {
      const write = async () => {
        if (uses.size === 0) return;
        const written = uses;
        uses = new Map();
        await noteUses(database.query, written);
      };
      const writing = repeat('store when tokens were used', everyMs, write, log);
      return {
        async stop() {
          await writing.stop();
          await write();
        },
      };
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isTemporary, Refused } from '@crm/contract';

/** In total longer than a restart of a service. */
const pausesMs = [200, 400, 800, 1_600, 3_200, 6_400];

/** Thrown when continuing is pointless: the service remains unavailable, or no longer accepts the access token. */
class Halted extends Error {
  override readonly name = 'Halted';
}

/** Thrown by a client whose requests must not be repeated, such as one in a transaction that has failed. */
export class Unrepeatable extends Error {
  override readonly name = 'Unrepeatable';
}

/** Repeats a request that got no response or a temporary refusal. A request that changes something must carry a key. */
export async function persistently<Value>(request: () => Promise<Value>): Promise<Value> {
  for (const pause of pausesMs) {
    try {
      return await request();
    } catch (error) {
      if (!maySucceedLater(error)) throw finalError(error);
      await sleep(pause);
    }
  }
  return request().catch((error: unknown) => {
    throw finalError(error);
  });
}

function maySucceedLater(error: unknown): boolean {
  if (error instanceof Unrepeatable) return false;
  return !(error instanceof Refused) || isTemporary(error);
}

/** A refusal that is about the row is kept. */
function finalError(error: unknown): unknown {
  const general = ['Unavailable', 'TooManyRequests', 'NotAuthenticated'];
  if (error instanceof Refused && !general.includes(error.name)) return error;
  return new Halted(error instanceof Error ? error.message : String(error), { cause: error });
}

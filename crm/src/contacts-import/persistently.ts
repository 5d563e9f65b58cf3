import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@crm/contract';

/** Together longer than a service takes to start again. */
const pausesMs = [200, 400, 800, 1_600, 3_200, 6_400];

/** Thrown when going on makes no sense: the service is away for good, or no longer knows who is asking. */
export class Halted extends Error {
  override readonly name = 'Halted';
}

/** Asks again what was not answered or cannot be just now. Whatever changes something must carry a key. */
export async function persistently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (const pause of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!maySucceedLater(error)) throw settled(error);
      await sleep(pause);
    }
  }
  return ask().catch((error: unknown) => {
    throw settled(error);
  });
}

function maySucceedLater(error: unknown): boolean {
  return !(error instanceof Refused) || error.retryAfter !== undefined || error.name === 'Unavailable';
}

/** A refusal that is about the row stays what it is. */
function settled(error: unknown): unknown {
  const general = ['Unavailable', 'TooManyRequests', 'NotAuthenticated'];
  if (error instanceof Refused && !general.includes(error.name)) return error;
  return new Halted(error instanceof Error ? error.message : String(error), { cause: error });
}

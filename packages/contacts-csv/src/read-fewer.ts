import { Refused, tooSlow } from '@crm/contract';

/** Reads as many records as time allows: at most `limit`, and half as many after each timeout. Returns the final limit. */
export async function readFewer<Found>(
  limit: number,
  read: (limit: number) => Promise<Found>,
): Promise<{ readonly found: Found; readonly limit: number }> {
  for (let fewer = limit; ; fewer = Math.ceil(fewer / 2)) {
    try {
      return { found: await read(fewer), limit: fewer };
    } catch (error) {
      if (fewer === 1 || !isTooSlow(error)) throw error;
    }
  }
}

const isTooSlow = (error: unknown): boolean => error instanceof Refused && error.reason === tooSlow.reason;

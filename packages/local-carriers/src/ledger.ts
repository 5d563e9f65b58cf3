import type { Arrival } from './behaviour.ts';

/** How often a key arrived, and how many messages were accepted with it. */
export interface Received {
  readonly channel: Arrival['channel'];
  readonly key: string;
  readonly arrivals: number;
  readonly accepted: number;
}

/** Enough for a day of tests, and few enough for memory. */
export const defaultLimit = 10_000;

/** Sets an entry, and deletes the oldest one beyond the limit. */
export function keep<Value>(map: Map<string, Value>, key: string, value: Value, limit = defaultLimit): void {
  map.set(key, value);
  if (map.size <= limit) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** Counts arrivals by key. Those without a key are not counted. */
export function openLedger(limit = defaultLimit) {
  const entries = new Map<string, Received>();
  return {
    count({ channel, key }: Arrival, accepted: boolean): void {
      if (key === undefined) return;
      const name = `${channel} ${key}`;
      const before = entries.get(name) ?? { channel, key, arrivals: 0, accepted: 0 };
      const accepts = before.accepted + (accepted ? 1 : 0);
      keep(entries, name, { ...before, arrivals: before.arrivals + 1, accepted: accepts }, limit);
    },
    received: (): readonly Received[] => [...entries.values()],
  };
}

import type { Arrival } from './behaviour.ts';

/** How often a key came, and how many messages were really taken under it. */
export interface Received {
  readonly channel: Arrival['channel'];
  readonly key: string;
  readonly arrivals: number;
  readonly accepted: number;
}

/** As many as are kept of anything: enough for a day of tests, little enough for the memory. */
export const mostKept = 10_000;

/** Sets, and forgets the oldest when there are too many. */
export function keep<Value>(map: Map<string, Value>, key: string, value: Value, most = mostKept): void {
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** Counts what arrives. What comes without a key is nobody's, and not counted. */
export function openLedger(most = mostKept) {
  const entries = new Map<string, Received>();
  return {
    count({ channel, key }: Arrival, accepted: boolean): void {
      if (key === undefined) return;
      const name = `${channel} ${key}`;
      const before = entries.get(name) ?? { channel, key, arrivals: 0, accepted: 0 };
      const accepts = before.accepted + (accepted ? 1 : 0);
      keep(entries, name, { ...before, arrivals: before.arrivals + 1, accepted: accepts }, most);
    },
    received: (): readonly Received[] => [...entries.values()],
  };
}

/** Sets an entry as the latest one. If there are then more than `max`, it forgets the one that was set first. */
export function setLatest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, max: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size > max) entries.delete(oldest);
}

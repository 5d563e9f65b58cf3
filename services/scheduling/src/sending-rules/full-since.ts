/** When the oldest of the last `max` messages within 24 hours was sent; null while the limit is not reached. */
export function fullSince(
  sentAt: readonly Temporal.Instant[],
  max: number,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const since = now.subtract({ hours: 24 });
  const recent = sentAt.filter((at) => Temporal.Instant.compare(at, since) > 0);
  return recent.toSorted(Temporal.Instant.compare).at(-max) ?? null;
}

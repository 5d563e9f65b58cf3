/** The first number from `from` on that steps of `interval` reach, beginning with `first`. */
export function nextInStep(first: number, interval: number, from: number): number {
  return first + Math.max(0, Math.ceil((from - first) / interval)) * interval;
}

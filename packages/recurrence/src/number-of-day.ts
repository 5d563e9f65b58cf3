/** The number of a day since 1970, by Date, because it takes a fraction of the time of Temporal. */
export function numberOfDay({ year, month, day }: Temporal.PlainDate): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

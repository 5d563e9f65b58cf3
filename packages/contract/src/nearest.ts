/** The name among `names` that `wanted` was most likely meant to be, or undefined when none is close. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(wanted.length / 3));
  const near = names
    .map((name) => ({ name, distance: distance(wanted.toLowerCase().slice(0, 64), name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** The sentence ` Did you mean "rank"?` after an error about an unknown name, or an empty string. */
export function suggestion(wanted: string, names: readonly string[]): string {
  const name = nearest(wanted, names);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/** The Levenshtein distance, computed one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const swap = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Names that other APIs have for the parameters of a list, in lower case and without word separators. */
const namesElsewhere: ReadonlyMap<string, string> = new Map([
  ...['page', 'offset', 'skip'].map((name) => [name, '$skip'] as const),
  ...['pagesize', 'perpage', 'limit'].map((name) => [name, '$limit'] as const),
  ...['sort', 'order', 'orderby'].map((name) => [name, '$sort'] as const),
  ...['fields', 'select'].map((name) => [name, '$select'] as const),
  ...['q', 'search', 'query'].map((name) => [name, '$search'] as const),
]);

/** The name among `names` that `wanted` was most likely meant to be, or undefined if none is close. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const sent = wanted.toLowerCase().slice(0, 64);
  const parameter = namesElsewhere.get(sent.replaceAll(/[^a-z]/g, ''));
  if (parameter !== undefined && names.includes(parameter)) return parameter;
  // A larger distance would match other words: `page` and `tags` differ in two letters.
  const maxDistance = Math.max(1, Math.floor(wanted.length / 3));
  const near = names
    .map((name) => ({ name, distance: distance(sent, name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** The sentence ` Did you mean "rank"?` after an error about an unknown name, or an empty string. */
export function suggestion(wanted: string, names: readonly string[]): string {
  const name = nearest(wanted, names);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/**
 * How many letters must be added, removed, replaced or swapped with the next one, computed one row at a time (the
 * Damerau–Levenshtein distance, with each letter changed at most once).
 */
function distance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const isExchanged = i > 0 && j > 0 && letter === b[j - 1] && other === a[i - 1];
      const exchanged = isExchanged ? (before[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

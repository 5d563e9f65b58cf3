/**
 * The id that a name has in a map that was made for all names. Throws for another name: it would otherwise show as a foreign key that
 * is violated elsewhere.
 */
export function idOf(name: string, ids: ReadonlyMap<string, number>): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error('A name has no id.');
  return id;
}

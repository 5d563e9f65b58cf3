/** Throws for an id that is missing where none can be: it would otherwise show as a foreign key that is violated elsewhere. */
export function knownId(id: number | undefined): number {
  if (id === undefined) throw new Error('An id is missing.');
  return id;
}

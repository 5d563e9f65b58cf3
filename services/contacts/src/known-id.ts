/** Throws if an id is missing where none can be: otherwise the error would only appear elsewhere, as a violated foreign key. */
export function knownId(id: number | undefined): number {
  if (id === undefined) throw new Error('An id is missing.');
  return id;
}

/** Deletes until fewer rows than a portion are left, each portion in a statement of its own, so that none takes long. */
export async function inPortions(
  most: number,
  forget: (most: number) => Promise<readonly unknown[]>,
): Promise<void> {
  while ((await forget(most)).length === most);
}

interface Announced {
  readonly id: number;
  readonly version: number;
  readonly user_id: number;
}

/** What events tell of a template. A removal is a version of its own, one after the last. */
export function factOf({ id, version, user_id }: Announced, later = 0) {
  return { id, version: version + later, data: { template_id: id, user_id } };
}

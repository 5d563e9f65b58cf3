interface Announced {
  readonly id: number;
  readonly user_id: number;
}

/** What events tell of a template. */
export function eventData({ id, user_id }: Announced) {
  return { template_id: id, user_id };
}

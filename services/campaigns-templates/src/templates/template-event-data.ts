interface Published {
  readonly id: number;
  readonly user_id: number;
}

/** The data of the events about a template. */
export function eventData({ id, user_id }: Published) {
  return { template_id: id, user_id };
}

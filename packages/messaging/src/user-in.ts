/**
 * The user whom an event names as its actor, or as the broker who acted. Pages know the user from a session and name the user
 * in their events. Nobody has the id 0.
 */
export const userIn = (name: string): number | undefined =>
  Number(/^user\/(\d+)$/.exec(name)?.[1] ?? 0) || undefined;

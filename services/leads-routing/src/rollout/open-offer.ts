/**
 * A SQL condition: an offer is open, because it was neither declined nor withdrawn and its member is still offered
 * leads of the team.
 */
export const isOpen = (offer: string): string =>
  `(${offer}.declined_at is null and ${offer}.withdrawn_at is null and exists (
    select from distribution_options d where d.team_id = ${offer}.team_id and d.user_id = ${offer}.user_id))`;

/** A SQL condition: an offer is open and due. */
export const isStanding = (offer: string): string => `(${offer}.notify_at <= now() and ${isOpen(offer)})`;

import type { DistributionOption } from './distribution-option.entity.ts';

/** The data of the events about an option. */
export function eventData({ id, team_id, user_id }: DistributionOption) {
  return { distribution_option_id: id, team_id, user_id };
}

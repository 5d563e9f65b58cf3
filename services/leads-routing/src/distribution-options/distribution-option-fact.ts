import type { DistributionOption } from './distribution-option.entity.ts';

/** What is told of an option. A removal is a version of its own, one after the last. */
export function factOf({ id, version, team_id, user_id }: DistributionOption, later = 0) {
  return { id, version: version + later, data: { distribution_option_id: id, team_id, user_id } };
}

import { invalidField } from '@crm/contract';
import type { DistributionTarget, TeamSelectionMethod } from './lead-route.api.ts';

export interface Target {
  readonly distribution_target: DistributionTarget;
  readonly team_selection_method?: TeamSelectionMethod | null | undefined;
  readonly team_id?: number | null | undefined;
}

/** The method and team of a route; null if its target does not use them. Throws BadRequest. */
export function targetOf({ distribution_target, team_selection_method, team_id = null }: Target) {
  if (distribution_target === 'Myself') return { team_selection_method: null, team_id: null };
  const method = team_selection_method ?? (team_id === null ? null : 'Specific Team');
  if (method === null)
    throw invalidField('team_selection_method', 'is required with Team Rollout, unless there is a team_id');
  if (method === 'Zipcode') return { team_selection_method: method, team_id: null };
  if (team_id === null) throw invalidField('team_id', 'is required with Specific Team');
  return { team_selection_method: method, team_id };
}

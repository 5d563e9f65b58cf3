import { readModel } from '@crm/data';
import { DistributionOptionView } from './distribution-option.api.ts';
import { visibleDistributionOptions } from './distribution-option.policy.ts';

/** In the place of what identity keeps stands its id; and beside the minutes the team, on which they depend. */
export const distributionOptionRows = readModel(DistributionOptionView, {
  table: 'distribution_options',
  visible: visibleDistributionOptions,
  nested: {
    team: 'distribution_options.team_id',
    user: 'distribution_options.user_id',
    mins_until_lead_offer: `json_build_object(
      'team_id', distribution_options.team_id, 'mins', distribution_options.mins_until_lead_offer)`,
  },
});

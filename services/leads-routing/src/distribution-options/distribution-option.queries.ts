import { readModel } from '@crm/data';
import { DistributionOptionView } from './distribution-option.api.ts';
import { visibleDistributionOptions } from './distribution-option.policy.ts';

/** Team and user are ids, which handlers replace with names. Minutes are read together with the team that they depend on. */
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

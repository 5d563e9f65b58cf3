import { campaignApi } from './campaigns/campaign.api.ts';
import { campaignAccessApi } from './campaigns/campaign-access.api.ts';

/** All that campaigns and templates may be asked. */
export const campaignsTemplatesApi = {
  campaigns: { ...campaignApi, ...campaignAccessApi },
};

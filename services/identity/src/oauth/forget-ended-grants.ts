import { forgetting } from '../forgetting.ts';
import { forgetClientFailures } from './client-failure.queries.ts';
import { forgetCodes, forgetFamilies, forgetSalts, forgetSecrets } from './ended-grants.queries.ts';

/** Only deletes records that have no effect any longer. */
export const forgetEndedGrants = forgetting('forget ended grants', [
  forgetClientFailures,
  forgetSalts,
  forgetSecrets,
  forgetCodes,
  forgetFamilies,
]);

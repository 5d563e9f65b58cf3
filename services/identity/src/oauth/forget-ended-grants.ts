import { forgetting } from '../forgetting.ts';
import { forgetClientFailures } from './client-failure.queries.ts';
import { forgetCodes, forgetFamilies, forgetSalts, forgetSecrets } from './ended-grants.queries.ts';

/** It changes nothing about what is allowed. */
export const forgetEndedGrants = forgetting('forget ended grants', [
  forgetClientFailures,
  forgetSalts,
  forgetSecrets,
  forgetCodes,
  forgetFamilies,
]);

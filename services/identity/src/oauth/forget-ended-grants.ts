import { repeat, type Worker } from '@crm/service';
import { forgetClientFailures } from './client-failure.queries.ts';
import { forgetCodes, forgetFamilies, forgetSalts, forgetSecrets } from './ended-grants.queries.ts';

const everyMs = 600_000;

/** Deletes what has expired. It changes nothing about what is allowed. */
export const forgetEndedGrants: Worker = async ({ database: { query }, log }) => {
  const forget = async () => {
    await forgetClientFailures(query);
    await forgetSalts(query);
    await forgetSecrets(query);
    await forgetCodes(query);
    await forgetFamilies(query);
  };
  return repeat('forget ended grants', everyMs, forget, log);
};

import type { SendingRules } from '../src/index.ts';

export const allowedCountries = ['US', 'CA'];

/** The default rules of sending, except that tests run at night too. */
export const rules: SendingRules = {
  quietHours: false,
  maxPerContact: { texts: 3, emails: 3 },
  maxPerAccount: { texts: 2_000, emails: 10_000 },
};

import type { DeliveryConfig } from '../src/index.ts';

/** Providers that do not exist, for tests in which nothing is sent. */
export const nowhere: DeliveryConfig = {
  publicUrl: 'https://crm.example.com',
  smtpUrl: 'smtp://127.0.0.1:9',
  mailFrom: { address: 'office@harbour.example' },
  carrier: {
    url: 'http://127.0.0.1:9',
    accountSid: 'AC0123',
    authToken: 'a-token-for-tests',
    number: '+16045550100',
    honoursKeys: true,
    allowedCountries: ['US', 'CA'],
  },
  // The default sending rules, except that tests also run at night.
  rules: {
    quietHours: false,
    maxPerContact: { texts: 3, emails: 3 },
    maxPerAccount: { texts: 2_000, emails: 10_000 },
  },
};

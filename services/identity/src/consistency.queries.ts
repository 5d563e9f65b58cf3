import type { Consistency } from '@crm/data';

/** What `crm verify` checks besides foreign keys. */
export const consistency: Consistency = {
  rules: [
    {
      what: 'removed applications that no worker has deleted for an hour',
      wrong: `select id from applications where removed_at < now() - interval '1 hour'`,
      advice: 'See the log of identity; its workers may not run.',
    },
  ],
  references: [],
};

import { implement } from '@crm/service';
import { optOutApi } from './opt-out.api.ts';
import { optedOutAmong, recordRequest } from './opt-out.queries.ts';

export const optOutHandlers = implement(optOutApi, {
  add: async ({ query }, request) => {
    await recordRequest(query, 'since', request);
    return {};
  },

  remove: async ({ query }, request) => {
    await recordRequest(query, 'ended_at', request);
    return {};
  },

  among: ({ query }, { numbers }) => optedOutAmong(query, numbers),
});

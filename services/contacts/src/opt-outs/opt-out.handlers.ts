import { implement } from '@crm/service';
import { optOutApi } from './opt-out.api.ts';
import { noteWord, optedOutAmong } from './opt-out.queries.ts';

export const optOutHandlers = implement(optOutApi, {
  add: async ({ query }, said) => {
    await noteWord(query, 'since', said);
    return {};
  },

  remove: async ({ query }, said) => {
    await noteWord(query, 'ended_at', said);
    return {};
  },

  among: ({ query }, { numbers }) => optedOutAmong(query, numbers),
});

import { findPage, getRecord, implement } from '@crm/service';
import { leadSourceApi } from './lead-source.api.ts';
import { leadSourceRows, leadSourcesListedFor } from './lead-source.queries.ts';
import { learnSources } from './learn-sources.ts';

export const leadSourceHandlers = implement(leadSourceApi, {
  find: async (ctx, input) => {
    await learnSources(ctx);
    return findPage(ctx, leadSourcesListedFor(ctx.user), input);
  },

  get: (ctx, input) => getRecord(ctx, leadSourceRows, input),
});

import { implement } from '@crm/service';
import { keyApi } from './key.api.ts';
import { listedKeys } from './key.queries.ts';

export const keyHandlers = implement(keyApi, {
  find: async (ctx) => ({ keys: await listedKeys(ctx.query) }),
});

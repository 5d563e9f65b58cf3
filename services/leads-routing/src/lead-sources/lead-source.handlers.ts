import { findPage, getRecord, implement } from '@crm/service';
import { leadSourceApi } from './lead-source.api.ts';
import { leadSourceRows } from './lead-source.queries.ts';

export const leadSourceHandlers = implement(leadSourceApi, {
  find: (ctx, input) => findPage(ctx, leadSourceRows, input),

  get: (ctx, input) => getRecord(ctx, leadSourceRows, input),
});

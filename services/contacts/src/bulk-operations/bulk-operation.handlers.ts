import { invalidField, Refused, unknownRecord } from '@crm/contract';
import { bulkOperationCreated } from '@crm/events';
import {
  answerWith,
  type Context,
  demandSeen,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { checkReferences } from '../contacts/check-references.ts';
import { originOf } from '../on-behalf/origin.ts';
import { staticListRows } from '../static-lists/static-list.queries.ts';
import { demandParameters } from './actions.ts';
import {
  bulkOperationApi,
  bulkOperationErrorApi,
  type Parameters,
  tooManyOperations,
} from './bulk-operation.api.ts';
import { BulkOperation } from './bulk-operation.entity.ts';
import {
  bulkOperationErrorRows,
  bulkOperationRows,
  lockOpenOperations,
  setContacts,
} from './bulk-operation.queries.ts';
import { endOperation } from './end-operation.ts';
import { selectedContacts } from './selected-contacts.ts';

/** The maximum number of waiting operations of a user. */
const maxOpen = 20;

export const bulkOperationHandlers = implement(bulkOperationApi, {
  find: (ctx, input) => findPage(ctx, bulkOperationRows, input),

  get: (ctx, input) => getRecord(ctx, bulkOperationRows, input),

  create: async (ctx, { action, contact_ids, filter, ...parameters }) => {
    demandParameters(action, parameters);
    await demandUsable(ctx, parameters);
    if ((await lockOpenOperations(ctx.query, ctx.user.id)) >= maxOpen) throw tooManyOperations();
    const ids = await selectedContacts(ctx, { contact_ids, filter });
    const now = ctx.now();
    const operation = ctx.em.create(BulkOperation, {
      user_id: ctx.user.id,
      origin: originOf(ctx.user, ctx.requestId),
      action,
      parameters,
      status: 'Waiting',
      total: ids.length,
      processed: 0,
      failed: 0,
      created_at: now,
      modified_at: now,
      ended_at: null,
    });
    await ctx.em.flush();
    await setContacts(ctx.query, operation.id, ids);
    const { user_id, total } = operation;
    publish(ctx, bulkOperationCreated, operation, {
      bulk_operation_id: operation.id,
      user_id,
      action,
      total,
    });
    if (total === 0) await endOperation(ctx, operation.id, 'Done');
    return answerWith(ctx, bulkOperationRows, operation.id);
  },

  patch: async (ctx, { id, $where, status }) => {
    await loadForChange(ctx, BulkOperation, bulkOperationRows, { id, $where });
    await endOperation(ctx, id, status);
    return answerWith(ctx, bulkOperationRows, id);
  },
});

export const bulkOperationErrorHandlers = implement(bulkOperationErrorApi, {
  find: async (ctx, { bulk_operation_id, ...query }) => {
    await demandSeen(ctx, bulkOperationRows, bulk_operation_id);
    return findPage(ctx, bulkOperationErrorRows, query, { bulk_operation_id });
  },
});

/** Refuses at once an action that would fail for every contact. */
async function demandUsable(ctx: Context, parameters: Parameters): Promise<void> {
  const { changes, assigned_user_id, static_list_id } = parameters;
  await checkReferences(ctx, changes ?? { assigned_user_id });
  if (static_list_id === undefined) return;
  await demandSeen(ctx, staticListRows, static_list_id).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    throw invalidField('static_list_id', unknownRecord(static_list_id));
  });
}

import { maxCustomFields } from '@crm/contract';
import { customFieldChanged, customFieldCreated, customFieldRemoved } from '@crm/events';
import { answerWith, demand, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { customFieldApi, tooManyCustomFields } from './custom-field.api.ts';
import { CustomField } from './custom-field.entity.ts';
import {
  brokerForbidsCustomFields,
  mayChangeCustomField,
  mayCreateCustomField,
  onlyOwnerChangesCustomField,
} from './custom-field.policy.ts';
import { customFieldRows, lockOwnFields } from './custom-field.queries.ts';

/** After all fields that have a rank. */
const defaultRank = 99_999;

export const customFieldHandlers = implement(customFieldApi, {
  find: (ctx, input) => findPage(ctx, customFieldRows, input),

  get: (ctx, input) => getRecord(ctx, customFieldRows, input),

  create: async (ctx, { rank = defaultRank, ...draft }) => {
    demand(mayCreateCustomField(ctx.user), brokerForbidsCustomFields);
    if ((await lockOwnFields(ctx.query, ctx.user.id)) >= maxCustomFields) throw tooManyCustomFields();
    const customField = ctx.em.create(CustomField, { ...draft, rank, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, customFieldCreated, customField, eventData(customField));
    return answerWith(ctx, customFieldRows, customField.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const customField = await loadForChange(ctx, CustomField, customFieldRows, { id, $where });
    demand(mayChangeCustomField(ctx.user, customField), onlyOwnerChangesCustomField);
    ctx.em.assign(customField, changes);
    await ctx.em.flush();
    publish(ctx, customFieldChanged, customField, eventData(customField));
    return answerWith(ctx, customFieldRows, id);
  },

  // It is hidden at once; a worker deletes its values, however many contacts have one.
  remove: async (ctx, { id, $where }) => {
    const customField = await loadForChange(ctx, CustomField, customFieldRows, { id, $where });
    demand(mayChangeCustomField(ctx.user, customField), onlyOwnerChangesCustomField);
    const removed = await answerWith(ctx, customFieldRows, id);
    customField.removed_at = ctx.now();
    await ctx.em.flush();
    publish(ctx, customFieldRemoved, customField, eventData(customField));
    return removed;
  },
});

function eventData({ id, user_id }: CustomField) {
  return { custom_field_id: id, user_id };
}

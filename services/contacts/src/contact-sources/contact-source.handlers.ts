import { contactSourceChanged, contactSourceCreated, contactSourceRemoved } from '@crm/events';
import { answerWith, demand, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { addDefaultSources, demandDefaultSources } from './add-default-sources.ts';
import { contactSourceApi } from './contact-source.api.ts';
import { ContactSource } from './contact-source.entity.ts';
import { brokerForbidsSources, mayCreateContactSource } from './contact-source.policy.ts';
import { contactSourceRows, lastChangedSources, rememberRemoval } from './contact-source.queries.ts';

export const contactSourceHandlers = implement(contactSourceApi, {
  find: async (ctx, input) => {
    await demandDefaultSources(ctx);
    return findPage(ctx, contactSourceRows, input);
  },

  get: (ctx, input) => getRecord(ctx, contactSourceRows, input),

  create: async (ctx, { name }) => {
    demand(mayCreateContactSource(ctx.user), brokerForbidsSources);
    await addDefaultSources(ctx, ctx.user.id);
    const now = ctx.now();
    const source = ctx.em.create(ContactSource, {
      name,
      user_id: ctx.user.id,
      created_at: now,
      modified_at: now,
    });
    await ctx.em.flush();
    publish(ctx, contactSourceCreated, source, eventData(source));
    return answerWith(ctx, contactSourceRows, source.id);
  },

  patch: async (ctx, { id, $where, name }) => {
    const source = await loadForChange(ctx, ContactSource, contactSourceRows, { id, $where });
    ctx.em.assign(source, { ...(name !== undefined && { name }), modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, contactSourceChanged, source, eventData(source));
    return answerWith(ctx, contactSourceRows, id);
  },

  // Contacts stop showing it at once; a worker removes it from those that have it, however many.
  remove: async (ctx, { id, $where }) => {
    const source = await loadForChange(ctx, ContactSource, contactSourceRows, { id, $where });
    const removed = await answerWith(ctx, contactSourceRows, id);
    source.removed_at = ctx.now();
    await ctx.em.flush();
    await rememberRemoval(ctx.query, source, ctx.now());
    publish(ctx, contactSourceRemoved, source, eventData(source));
    return removed;
  },

  lastChanged: async (ctx, { limit }) => {
    await demandDefaultSources(ctx);
    return lastChangedSources(ctx.query, ctx.user.id, limit);
  },
});

function eventData({ id, user_id, name }: ContactSource) {
  return { contact_source_id: id, user_id, name };
}

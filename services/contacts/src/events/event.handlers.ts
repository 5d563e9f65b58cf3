import { invalidField, unknownRecord } from '@crm/contract';
import { activityChanged, activityRecorded, activityRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, demand, findPage, getRecord, implement, publish } from '@crm/service';
import { eventApi } from './event.api.ts';
import { ContactEvent } from './event.entity.ts';
import { mayChangeEvent, onlyOwnerChangesEvent } from './event.policy.ts';
import { eventListWith, eventRows, eventRowsWith } from './event.queries.ts';
import { activityData } from './event-data.ts';
import { loadEvent, lockContact } from './load-event.ts';
import { recordText } from './record-text.ts';

export const eventHandlers = implement(eventApi, {
  find: (ctx, { teams, ...query }) => findPage(ctx, eventListWith(teams, query.where), query),

  get: (ctx, { teams, ...query }) => getRecord(ctx, eventRowsWith(teams), query),

  create: async (ctx, { created_at = ctx.now(), modified_at = ctx.now(), ...draft }) => {
    const { contact_id } = draft;
    if (!(await lockContact(ctx, contact_id))) throw invalidField('contact_id', unknownRecord(contact_id));
    const event = ctx.em.create(ContactEvent, {
      ...draft,
      user_id: ctx.user.id,
      source: 'api',
      created_at: new Date(created_at),
      modified_at: new Date(modified_at),
    });
    await ctx.em.flush();
    publish(ctx, activityRecorded, event, activityData(event, {}));
    return answerWith(ctx, eventRows, event.id);
  },

  recordText,

  patch: async (ctx, { id, $where, description }) => {
    const { contact, event } = await loadEvent(ctx, { id, $where });
    demand(mayChangeEvent(ctx.user, contact), onlyOwnerChangesEvent);
    ctx.em.assign(event, { ...(description !== undefined && { description }), modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, activityChanged, event, activityData(event, { fields: ['description'] }));
    return answerWith(ctx, eventRows, id);
  },

  remove: async (ctx, { id, $where }) => {
    const { contact, event } = await loadEvent(ctx, { id, $where });
    demand(mayChangeEvent(ctx.user, contact), onlyOwnerChangesEvent);
    const removed = await answerWith(ctx, eventRows, id);
    ctx.em.remove(event);
    publish(ctx, activityRemoved, removalOf(event), activityData(event, {}));
    return removed;
  },
});

import { invalidField } from '@crm/contract';
import { activityChanged } from '@crm/events';
import {
  answerWith,
  type Context,
  demand,
  demandSeen,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import type { z } from 'zod';
import type { ContactEvent } from '../events/event.entity.ts';
import { mayChangeEvent, onlyOwnerChangesEvent } from '../events/event.policy.ts';
import { eventRowsWith, touchEvent } from '../events/event.queries.ts';
import { activityData } from '../events/event-data.ts';
import { loadEvent } from '../events/load-event.ts';
import { eventPropertyApi } from './event-property.api.ts';
import { EventProperty } from './event-property.entity.ts';
import { eventPropertyRows } from './event-property.queries.ts';

export const eventPropertyHandlers = implement(eventPropertyApi, {
  find: async (ctx, { event_id, teams, ...query }) => {
    await demandSeen(ctx, eventRowsWith(teams), event_id);
    return findPage(ctx, eventPropertyRows, query, { api_event_id: event_id });
  },

  get: async (ctx, { event_id, teams, ...query }) => {
    await demandSeen(ctx, eventRowsWith(teams), event_id);
    return getRecord(ctx, eventPropertyRows, query, { api_event_id: event_id });
  },

  create: async (ctx, { event_id, teams, ...draft }) => {
    await demandSeen(ctx, eventRowsWith(teams), event_id);
    const { event } = await loadEvent(ctx, { id: event_id });
    if (event.source !== 'api') throw invalidField('event_id', 'must be an event whose source is api');
    const parents = { api_event_id: event_id, contact_id: event.contact_id };
    const property = ctx.em.create(EventProperty, { ...columnsOf(draft), ...parents });
    await saveEvent(ctx, event);
    return answerWith(ctx, eventPropertyRows, property.id);
  },

  patch: async (ctx, { event_id, id, $where, $select, ...changes }) => {
    const { event, property } = await loadOwned(ctx, { event_id, id, $where });
    // If a property is sent back under both names, the one with another value is the one that the client changed.
    const { square_feet, ...others } = changes;
    ctx.em.assign(property, columnsOf(square_feet === property.square_feet ? others : changes));
    await saveEvent(ctx, event);
    return answerWith(ctx, eventPropertyRows, id);
  },

  remove: async (ctx, { event_id, id, $where }) => {
    const { event, property } = await loadOwned(ctx, { event_id, id, $where });
    const removed = await answerWith(ctx, eventPropertyRows, id);
    ctx.em.remove(property);
    await saveEvent(ctx, event);
    return removed;
  },
});

type Target = Pick<z.output<typeof eventPropertyApi.remove.input>, 'event_id' | 'id' | '$where'>;

async function loadOwned(ctx: Context, { event_id, id, $where }: Target) {
  const { contact, event } = await loadEvent(ctx, { id: event_id });
  const within = { api_event_id: event_id };
  const property = await loadForChange(ctx, EventProperty, eventPropertyRows, { id, $where }, within);
  demand(mayChangeEvent(ctx.user, contact), onlyOwnerChangesEvent);
  return { event, property };
}

type Draft = Omit<z.output<typeof eventPropertyApi.create.input>, 'event_id' | 'teams'>;

function columnsOf({ sqft, square_feet = sqft, last_sold_at, listed_at, ...fields }: Draft) {
  return {
    ...fields,
    ...(square_feet !== undefined && { square_feet }),
    ...(last_sold_at !== undefined && { last_sold_at: last_sold_at && new Date(last_sold_at) }),
    ...(listed_at !== undefined && { listed_at: listed_at && new Date(listed_at) }),
  };
}

/** A property is part of its contact event, so a change of it is a new version of the contact event. */
async function saveEvent(ctx: Context, event: ContactEvent) {
  await ctx.em.flush();
  const version = await touchEvent(ctx.query, event.id, ctx.now());
  publish(ctx, activityChanged, { id: event.id, version }, activityData(event, { fields: ['property'] }));
}

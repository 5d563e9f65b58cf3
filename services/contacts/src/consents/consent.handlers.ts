import { contactChanged } from '@crm/events';
import { demandSeen, implement, loadForChange, publish } from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import type { Channel } from '../contacts/opt-out-source.queries.ts';
import { consentApi, objection } from './consent.api.ts';
import {
  consentOf,
  hasOptedOut,
  lockConsentsAround,
  optOutsOf,
  storeAgentConsent,
} from './consent.queries.ts';

export const consentHandlers = implement(consentApi, {
  get: async (ctx, { id }) => {
    await demandSeen(ctx, contactRows, id);
    return consentOf(ctx.query, id);
  },

  patch: async (ctx, { id, text_state, email_state }) => {
    const states: Readonly<Record<Channel, typeof text_state>> = { Text: text_state, Email: email_state };
    const changes = (Object.keys(states) as Channel[]).flatMap((channel) => {
      const state = states[channel];
      return state === undefined ? [] : [{ channel, state }];
    });
    if (changes.length > 0) await lockConsentsAround(ctx.query, ctx.user, id);
    const contact = await loadForChange(ctx, Contact, contactRows, { id });
    for (const { channel, state } of changes) {
      if (state === 'Allowed' && (await hasOptedOut(ctx.query, id, channel))) throw objection();
      await storeAgentConsent(ctx.query, id, channel, state, ctx.now());
    }
    if (changes.length > 0) {
      contact.change(ctx.now());
      await ctx.em.flush();
      publish(ctx, contactChanged, contact, eventData(contact, { fields: ['consent'] }));
    }
    return consentOf(ctx.query, id);
  },

  optedOut: async ({ query, user }, { contact_ids }) =>
    [...(await optOutsOf(query, user, contact_ids))].map(([contact_id, opted_out]) => ({
      contact_id,
      opted_out,
    })),
});

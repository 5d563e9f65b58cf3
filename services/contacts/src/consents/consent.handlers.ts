import { toE164 } from '@crm/contacts-csv/phone';
import { contactChanged } from '@crm/events';
import { type Context, demandSeen, implement, loadForChange, publish } from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import type { Channel } from '../contacts/opt-out-source.queries.ts';
import { consentApi, objection } from './consent.api.ts';
import {
  consentOf,
  hasOptedOut,
  keepOptOuts,
  lockConsentsAround,
  lockConsentsOf,
  optOutsOf,
  storeAgentConsent,
} from './consent.queries.ts';
import { publishConsentChanged } from './publish-consent-changed.ts';

export const consentHandlers = implement(consentApi, {
  get: async (ctx, { id }) => {
    await demandSeen(ctx, contactRows, id);
    return consentOf(ctx.query, id);
  },

  patch: async (ctx, { id, text_state, email_state }) => {
    const said: Said[] = [
      ...(text_state === undefined ? [] : [{ channel: 'Text' as const, state: text_state }]),
      ...(email_state === undefined ? [] : [{ channel: 'Email' as const, state: email_state }]),
    ];
    if (said.length === 0) await loadForChange(ctx, Contact, contactRows, { id });
    else await publishConsentChanged(ctx, [await storeConsents(ctx, id, said)]);
    return consentOf(ctx.query, id);
  },

  optOut: async (ctx, input) => {
    const {
      id,
      channels,
      mobile_phone = null,
      email = null,
      destinations,
      destinations_only = false,
    } = input;
    const out = channels.map((channel) => ({ channel, state: 'Opted Out' as const }));
    const contact = await storeConsents(ctx, id, destinations_only ? [] : out);
    await lockConsentsOf(ctx.query, ctx.user.id);
    const { numbers = [], emails = [] } = destinations ?? {};
    const said = { channels, numbers: [toE164(mobile_phone), ...numbers], emails: [email, ...emails] };
    await keepOptOuts(ctx.query, ctx.user.id, [said], ctx.now());
    await publishConsentChanged(ctx, [contact], { destinations: [...said.numbers, ...said.emails] });
    return {};
  },

  optedOut: async ({ query, user }, { contact_ids }) =>
    [...(await optOutsOf(query, user, contact_ids))].map(([contact_id, opted_out]) => ({
      contact_id,
      opted_out,
    })),
});

interface Said {
  readonly channel: Channel;
  readonly state: 'Allowed' | 'Opted Out';
}

/** Stores decisions of an agent about a contact that the agent sees, or about numbers and addresses that it may have. */
async function storeConsents(ctx: Context, id: number, said: readonly Said[]): Promise<Contact> {
  await lockConsentsAround(ctx.query, ctx.user, id);
  const contact = await loadForChange(ctx, Contact, contactRows, { id });
  for (const { channel, state } of said) {
    if (state === 'Allowed' && (await hasOptedOut(ctx.query, id, channel))) throw objection();
    await storeAgentConsent(ctx.query, id, channel, state, ctx.now());
  }
  contact.change(ctx.now());
  await ctx.em.flush();
  publish(ctx, contactChanged, contact, eventData(contact, { fields: ['consent'] }));
  return contact;
}

import { optOutChanged } from '@crm/events';
import { type Context, implement, publish } from '@crm/service';
import { idsWithEmail, idsWithMobilePhone } from '../contacts/contact-access.queries.ts';
import { formsOf } from './forms-of-email.ts';
import { optOutApi } from './opt-out.api.ts';
import { askedToBeLeftAlone, optedOutAmong, recordRequest } from './opt-out.queries.ts';
import { endTextPause, noteTextPause } from './text-pause.queries.ts';

/** Numbers are rarely shared, and an event is limited in size. */
const maxContacts = 1_000;

export const optOutHandlers = implement(optOutApi, {
  add: async (ctx, { number, at, source }) => {
    const changed = await recordRequest(ctx.query, 'since', { destination: number, at, source });
    return announce(ctx, changed, () => idsWithMobilePhone(ctx.query, number));
  },
  addEmail: async (ctx, { email, at, source }) => {
    const changed = await recordRequest(ctx.query, 'since', { destination: email, at, source });
    return announce(ctx, changed, () => idsWithEmail(ctx.query, formsOf(email)));
  },
  remove: async (ctx, { number, at }) => {
    await endTextPause(ctx.query, number, at);
    const changed = await recordRequest(ctx.query, 'ended_at', { destination: number, at, source: 'Reply' });
    return announce(ctx, changed, () => idsWithMobilePhone(ctx.query, number));
  },
  pause: async ({ query }, { number, at }) => {
    await noteTextPause(query, number, at);
    return {};
  },
  resume: async ({ query }, { number, at }) => {
    await endTextPause(query, number, at);
    return {};
  },
  among: ({ query }, { numbers }) => optedOutAmong(query, numbers),
  askedToBeLeftAlone: ({ query }, { numbers }) => askedToBeLeftAlone(query, numbers),
});

async function announce(
  ctx: Context,
  changed: Awaited<ReturnType<typeof recordRequest>>,
  contactIds: () => Promise<number[]>,
) {
  if (!changed) return {};
  const contact_ids = (await contactIds()).slice(0, maxContacts);
  publish(ctx, optOutChanged, changed, { opt_out_id: changed.id, contact_ids });
  return {};
}

import { optOutChanged } from '@crm/events';
import { type Context, implement, publish } from '@crm/service';
import { idsWithMobilePhone } from '../contacts/contact-access.queries.ts';
import { optOutApi } from './opt-out.api.ts';
import { optedOutAmong, recordRequest } from './opt-out.queries.ts';

/** Numbers are rarely shared, and an event is limited in size. */
const maxContacts = 1_000;

export const optOutHandlers = implement(optOutApi, {
  add: (ctx, request) => record(ctx, 'since', request),
  remove: (ctx, request) => record(ctx, 'ended_at', request),
  among: ({ query }, { numbers }) => optedOutAmong(query, numbers),
});

async function record(
  ctx: Context,
  column: 'since' | 'ended_at',
  request: { readonly number: string; readonly at: string },
) {
  const changed = await recordRequest(ctx.query, column, request);
  if (!changed) return {};
  const contact_ids = (await idsWithMobilePhone(ctx.query, request.number)).slice(0, maxContacts);
  publish(ctx, optOutChanged, changed, { opt_out_id: changed.id, contact_ids });
  return {};
}

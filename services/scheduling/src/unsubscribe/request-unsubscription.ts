import { auditChange } from '@crm/messaging';
import type { Context } from '@crm/service';
import { addOptOutRequest, type RequestedOptOut } from '../opt-outs/opt-out-request.queries.ts';
import { sentEmailOf } from './unsubscribe.queries.ts';

/**
 * Stores that the recipient of the e-mail with a key wants no more e-mails; undefined if it was never sent. It is stored whatever
 * other services do, because mail programs and providers post only once, and it holds back what is being sent to the address.
 */
export async function requestUnsubscription(ctx: Context, key: string): Promise<RequestedOptOut | undefined> {
  const sent = await sentEmailOf(ctx.query, key);
  if (!sent) return undefined;
  auditChange(ctx.em, () => ({ type: 'contact', id: sent.contact_id, userId: null }));
  const wanted = {
    what: 'unsubscribe',
    destination: sent.email,
    requested_at: ctx.now().toISOString(),
  } as const;
  return addOptOutRequest(ctx.query, wanted, ctx);
}

import { auditChange } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import { addOptOutRequest } from '../opt-outs/opt-out-request.queries.ts';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import { unsubscribeApi } from './unsubscribe.api.ts';
import { sentEmailOf } from './unsubscribe.queries.ts';
import * as pages from './unsubscribe-page.ts';

/** As a form of either kind; mail programs may send both. */
const inForm = /(^|&)List-Unsubscribe=One-Click(&|\s*$)/i;
/** A part may have further headers. What is read of them is limited, so that a long body takes no longer. */
const inPart = /\bname="?List-Unsubscribe"?[^\r\n]{0,200}\r?\n(?:[^\r\n]+\r?\n){0,8}\r?\nOne-Click\r?\n/i;

export const unsubscribeHandlers = implement(unsubscribeApi, {
  show: async ({ query }, { params }) =>
    (await sentEmailOf(query, params.key ?? '')) ? pages.askPage() : pages.unknownPage(),

  unsubscribe: inSteps(unsubscribeApi.unsubscribe, {
    act: async (ctx, { params, body }) => {
      if (!inForm.test(body) && !inPart.test(body)) return { page: pages.incompletePage() };
      const sent = await sentEmailOf(ctx.query, params.key ?? '');
      if (!sent) return { page: pages.unknownPage() };
      auditChange(ctx.em, () => ({ type: 'contact', id: sent.contact_id, userId: null }));
      // Mail programs post once, so it is stored whatever other services do, and holds what is being sent to the address.
      const wanted = {
        what: 'unsubscribe',
        destination: sent.email,
        requested_at: ctx.now().toISOString(),
      } as const;
      return { requested: await addOptOutRequest(ctx.query, wanted, ctx), page: pages.donePage() };
    },
    finish: async (ctx, { requested, page }) => {
      if (requested) await settleOptOut(ctx, requested);
      return page;
    },
  }),
});

import { auditChange } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import { addOptOutRequest } from '../opt-outs/opt-out-request.queries.ts';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import { unsubscribeApi } from './unsubscribe.api.ts';
import { sentEmailOf } from './unsubscribe.queries.ts';
import * as pages from './unsubscribe-page.ts';

/** As a form of either kind; mail programs may send both. */
const oneClick = /(^|&)List-Unsubscribe=One-Click(&|$)|name="?List-Unsubscribe"?\r?\n\r?\nOne-Click\r?\n/;

export const unsubscribeHandlers = implement(unsubscribeApi, {
  show: async ({ query }, { params }) =>
    (await sentEmailOf(query, params.key ?? '')) ? pages.askPage() : pages.unknownPage(),

  unsubscribe: inSteps(unsubscribeApi.unsubscribe, {
    act: async (ctx, { params, body }) => {
      if (!oneClick.test(body)) return { page: pages.incompletePage() };
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

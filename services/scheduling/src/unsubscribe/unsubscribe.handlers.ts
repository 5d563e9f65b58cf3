import { auditChange } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import { noteOptOutChange } from '../opt-outs/opt-out-change.queries.ts';
import { contacts } from '../peers.ts';
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
      // Holds what is being sent to the contact until contacts has been asked again.
      await noteOptOutChange(ctx.query, [sent.contact_id]);
      auditChange(ctx.em, () => ({ type: 'contact', id: sent.contact_id, userId: null }));
      return { email: sent.email, at: ctx.now().toISOString(), page: pages.donePage() };
    },
    finish: async (ctx, { email, at, page }) => {
      if (email) await contacts.asSystem(ctx).optOuts.addEmail({ email, at, source: 'List-Unsubscribe' });
      return page;
    },
  }),
});

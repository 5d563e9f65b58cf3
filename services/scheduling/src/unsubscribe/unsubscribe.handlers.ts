import { implement, inSteps } from '@crm/service';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import { requestUnsubscription } from './request-unsubscription.ts';
import { unsubscribeApi } from './unsubscribe.api.ts';
import { sentEmailOf } from './unsubscribe.queries.ts';
import * as pages from './unsubscribe-page.ts';

/** In a form of either kind; mail programs may send both. */
const inForm = /(^|&)List-Unsubscribe=One-Click(&|\s*$)/i;
/** A part may have further headers. How much of them is read is limited, so that a long body takes no longer. */
const inPart = /\bname="?List-Unsubscribe"?[^\r\n]{0,200}\r?\n(?:[^\r\n]+\r?\n){0,8}\r?\nOne-Click\r?\n/i;

export const unsubscribeHandlers = implement(unsubscribeApi, {
  show: async ({ query }, { params }) =>
    (await sentEmailOf(query, params.key ?? '')) ? pages.askPage() : pages.unknownPage(),

  unsubscribe: inSteps(unsubscribeApi.unsubscribe, {
    act: async (ctx, { params, body }) => {
      if (!inForm.test(body) && !inPart.test(body)) return { page: pages.incompletePage() };
      const requested = await requestUnsubscription(ctx, params.key ?? '');
      return requested ? { requested, page: pages.donePage() } : { page: pages.unknownPage() };
    },
    finish: async (ctx, { requested, page }) => {
      if (requested) await settleOptOut(ctx, requested);
      return page;
    },
  }),
});

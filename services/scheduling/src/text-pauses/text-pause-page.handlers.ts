import { id, type WebAnswer } from '@crm/contract';
import { goTo } from '@crm/html';
import { auditAs, auditChange } from '@crm/messaging';
import { type Context, implement, inSteps } from '@crm/service';
import { z } from 'zod';
import { submitterOf, visitorOf } from '../account-pages/visitor.ts';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import { rightsNow } from '../rights.ts';
import { decideTexts, numberOf } from './decide-texts.ts';
import { pausedContactsOf } from './paused-contacts.ts';
import { decision, textPausePageApi } from './text-pause.api.ts';
import { pausedTextsPage, pausedTextsPath, type Result } from './text-pause-page.ts';

const Form = z.object({ contact_id: id, texts: decision });

export const textPausePageHandlers = implement(textPausePageApi, {
  show: async (ctx, request) => {
    const visitor = await visitorOf(ctx, request, pausedTextsPath);
    if ('answer' in visitor) return visitor.answer;
    const result = new URLSearchParams(request.query).get('result');
    return pausedTextsPage(visitor, await pausedContactsOf(ctx, visitor.user_id), result);
  },

  decide: inSteps(textPausePageApi.decide, {
    ask: async (ctx, request) => {
      const visitor = await submitterOf(ctx, request, pausedTextsPath);
      if ('answer' in visitor) return visitor;
      const form = Form.safeParse(Object.fromEntries(new URLSearchParams(request.body)));
      const number = form.success ? await numberSeen(ctx, visitor.user_id, form.data.contact_id) : undefined;
      if (number === undefined || !form.success) return { answer: shownAfter('nothing') };
      return { user_id: visitor.user_id, number, ...form.data };
    },
    act: async (ctx, _request, asked) => {
      if ('answer' in asked) return { answer: asked.answer };
      auditAs(ctx.em, { userId: asked.user_id });
      auditChange(ctx.em, () => ({ type: 'contact', id: asked.contact_id, userId: asked.user_id }));
      const requested = await decideTexts(ctx, asked.number, asked.texts);
      return requested ? { answer: shownAfter(asked.texts), requested } : { answer: shownAfter('nothing') };
    },
    finish: async (ctx, { answer, requested }) => {
      if (requested) await settleOptOut(ctx, requested);
      return answer;
    },
  }),
});

/** The number of a contact whom the user sees. */
async function numberSeen(ctx: Context, user_id: number, contact_id: number): Promise<string | undefined> {
  const rights = await rightsNow(ctx, [{ user_id, contact_id }]);
  return rights.sees(user_id, contact_id) ? ((await numberOf(ctx, contact_id)) ?? undefined) : undefined;
}

const shownAfter = (result: Result): WebAnswer => goTo(`${pausedTextsPath}?result=${result}`);

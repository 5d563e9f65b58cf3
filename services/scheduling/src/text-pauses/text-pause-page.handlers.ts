import { id, type WebAnswer } from '@crm/contract';
import { goTo } from '@crm/html';
import { auditAs, auditChange } from '@crm/messaging';
import { type Context, implement, inSteps } from '@crm/service';
import { z } from 'zod';
import { submitterOf, visitorOf } from '../account-pages/visitor.ts';
import { rightsNow } from '../rights.ts';
import { type Decision, numberOf, prepareDecision } from './decide-texts.ts';
import { pausedContactsOf } from './paused-contacts.ts';
import { decision, textPausePageApi } from './text-pause.api.ts';
import { endPause } from './text-pause.queries.ts';
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
      const number = form.success ? await numberToDecide(ctx, visitor.user_id, form.data) : undefined;
      if (number === undefined || !form.success) return { answer: shownAfter('nothing') };
      return { user_id: visitor.user_id, number, ...form.data };
    },
    act: async ({ em, query, now }, _request, asked) => {
      if ('answer' in asked) return asked.answer;
      auditAs(em, { userId: asked.user_id });
      auditChange(em, () => ({ type: 'contact', id: asked.contact_id, userId: asked.user_id }));
      const isEnded = await endPause(query, asked.number, now().toISOString());
      return shownAfter(isEnded ? asked.texts : 'nothing');
    },
  }),
});

/** The paused number of a contact whom the user may change. */
async function numberToDecide(
  ctx: Context,
  user_id: number,
  { contact_id, texts }: { readonly contact_id: number; readonly texts: Decision },
): Promise<string | undefined> {
  const rights = await rightsNow(ctx, [{ user_id, contact_id }]);
  const number = rights.sees(user_id, contact_id) ? await numberOf(ctx, contact_id) : null;
  return number !== null && (await prepareDecision(ctx, number, texts)) ? number : undefined;
}

const shownAfter = (result: Result): WebAnswer => goTo(`${pausedTextsPath}?result=${result}`);

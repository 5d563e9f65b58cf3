import type { WebAnswer, WebRequest } from '@crm/contract';
import { privateHeaders } from '@crm/html';
import { auditAs } from '@crm/messaging';
import { type Context, implement, inSteps } from '@crm/service';
import { identity } from '../peers.ts';
import { pausePageApi } from './pause-page.api.ts';
import { foreignFormPage, pausePage, sendingPath } from './pause-page.ts';
import { addPause, findPauses, removePause } from './sending-pause.queries.ts';

const visitorOf = (ctx: Context, request: WebRequest) =>
  identity.asSystem(ctx).visitors.read({ request, path: sendingPath });

const signInFirst = (redirect: WebAnswer): WebAnswer => ({
  ...redirect,
  headers: { ...privateHeaders, ...redirect.headers },
});

const shownAgain: WebAnswer = {
  status: 303,
  headers: { ...privateHeaders, location: sendingPath },
  body: '',
};

export const pausePageHandlers = implement(pausePageApi, {
  show: async (ctx, request) => {
    const visitor = await visitorOf(ctx, request);
    if ('sign_in' in visitor) return signInFirst(visitor.sign_in);
    const pauses = await findPauses(ctx.query);
    const ofUser = (id: number | null) => pauses.find(({ user_id }) => user_id === id)?.paused_at;
    return pausePage(visitor, { own: ofUser(visitor.user_id), everybody: ofUser(null) });
  },

  change: inSteps(pausePageApi.change, {
    ask: visitorOf,
    act: async ({ em, query }, { body }, visitor): Promise<WebAnswer> => {
      if ('sign_in' in visitor) return signInFirst(visitor.sign_in);
      auditAs(em, { userId: visitor.user_id });
      if (!visitor.is_own_form) return foreignFormPage();
      const wanted = new URLSearchParams(body).get('sending');
      if (wanted === 'stop') await addPause(query, visitor.user_id);
      if (wanted === 'resume') await removePause(query, visitor.user_id);
      return shownAgain;
    },
    finish: async (_ctx, answer: WebAnswer) => answer,
  }),
});

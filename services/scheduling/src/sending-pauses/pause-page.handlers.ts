import { goTo } from '@crm/html';
import { auditAs } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import { submitterOf, visitorOf } from '../account-pages/visitor.ts';
import { pausePageApi } from './pause-page.api.ts';
import { pausePage, sendingPath } from './pause-page.ts';
import { addPause, findPauses, type Pauser, removePause } from './sending-pause.queries.ts';

export const pausePageHandlers = implement(pausePageApi, {
  show: async (ctx, request) => {
    const visitor = await visitorOf(ctx, request, sendingPath);
    if ('answer' in visitor) return visitor.answer;
    const pauses = await findPauses(ctx.query);
    const since = (id: number | null, by: Pauser) =>
      pauses.find((pause) => pause.user_id === id && pause.by === by)?.paused_at;
    return pausePage(visitor, {
      own: since(visitor.user_id, 'user'),
      byOperator: since(visitor.user_id, 'operator'),
      everybody: since(null, 'operator'),
    });
  },

  change: inSteps(pausePageApi.change, {
    ask: (ctx, request) => submitterOf(ctx, request, sendingPath),
    act: async ({ em, query }, { body }, visitor) => {
      if ('answer' in visitor) return visitor.answer;
      auditAs(em, { userId: visitor.user_id });
      const wanted = new URLSearchParams(body).get('sending');
      if (wanted === 'stop') await addPause(query, visitor.user_id, 'user');
      if (wanted === 'resume') await removePause(query, visitor.user_id, 'user');
      return goTo(sendingPath);
    },
  }),
});

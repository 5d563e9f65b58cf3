import { noRecord } from '@crm/contract';
import { implement, inSteps } from '@crm/service';
import { contacts } from '../peers.ts';
import { numberOf, prepareDecision } from './decide-texts.ts';
import { notPaused, textPauseApi } from './text-pause.api.ts';
import { endPause } from './text-pause.queries.ts';

export const textPauseHandlers = implement(textPauseApi, {
  end: inSteps(textPauseApi.end, {
    ask: async (ctx, { contact_id, texts }) => {
      const seen = await contacts.onBehalf(ctx).contacts.access({ ids: [contact_id] });
      if (seen.length === 0) throw noRecord(contact_id);
      const number = await numberOf(ctx, contact_id);
      if (number === null || !(await prepareDecision(ctx, number, texts))) throw notPaused();
      return number;
    },
    act: async (ctx, { contact_id, texts }, number) => {
      if (!(await endPause(ctx.query, number, ctx.now().toISOString()))) throw notPaused();
      return { contact_id, texts };
    },
  }),
});

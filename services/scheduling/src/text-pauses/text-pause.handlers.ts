import { noRecord } from '@crm/contract';
import { auditChange } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import { contacts } from '../peers.ts';
import { decideTexts, numberOf } from './decide-texts.ts';
import { notPaused, textPauseApi } from './text-pause.api.ts';

export const textPauseHandlers = implement(textPauseApi, {
  end: inSteps(textPauseApi.end, {
    ask: async (ctx, { contact_id }) => {
      const seen = await contacts.onBehalf(ctx).contacts.access({ ids: [contact_id] });
      if (seen.length === 0) throw noRecord(contact_id);
      return numberOf(ctx, contact_id);
    },
    act: async (ctx, { contact_id, texts }, number) => {
      auditChange(ctx.em, () => ({ type: 'contact', id: contact_id, userId: ctx.user.id }));
      const requested = number === null ? undefined : await decideTexts(ctx, number, texts);
      if (!requested) throw notPaused();
      return requested;
    },
    finish: async (ctx, requested, { contact_id, texts }) => {
      await settleOptOut(ctx, requested);
      return { contact_id, texts };
    },
  }),
});

import { noRecord } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import { contacts } from '../peers.ts';
import { notPaused, textPauseApi } from './inbound-text.api.ts';
import { endPause } from './text-pause.queries.ts';

export const textPauseHandlers = implement(textPauseApi, {
  end: inSteps(textPauseApi.end, {
    ask: async (ctx, { contact_id, texts }) => {
      const number = await numberOf(ctx, contact_id);
      // Before the pause ends, so that nothing is sent in between.
      if (texts === 'end' && number !== null)
        await contacts.asSystem(ctx).optOuts.add({ number, at: ctx.now().toISOString() });
      return number;
    },
    act: async (ctx, { contact_id, texts }, number) => {
      if (number === null || !(await endPause(ctx.query, number, ctx.now().toISOString()))) throw notPaused();
      return { contact_id, texts };
    },
  }),
});

/** The mobile number of a contact, which must be visible to the caller. */
async function numberOf(ctx: Context, contact_id: number): Promise<string | null> {
  const seen = await contacts.onBehalf(ctx).contacts.access({ ids: [contact_id] });
  if (seen.length === 0) throw noRecord(contact_id);
  const [contact] = await contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [contact_id] });
  return contact?.mobile_phone_e164 ?? null;
}

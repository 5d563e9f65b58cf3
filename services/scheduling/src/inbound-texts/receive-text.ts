import { meaningOf } from '@crm/delivery';
import { inboundTextReceived } from '@crm/events';
import { publish, type TransactionContext } from '@crm/service';
import { type Incoming, storeMeaning, storeText } from './inbound-text.queries.ts';

/** Stores a text and publishes its arrival. If it is already stored, only the provider's meaning of it may be new. */
export async function receiveText(ctx: TransactionContext, text: Incoming): Promise<void> {
  if (!(await storeText(ctx.query, text, ctx.requestId))) {
    if (text.isAnswered) await storeMeaning(ctx.query, text);
    return;
  }
  publish(ctx, inboundTextReceived, { id: text.id, version: 1 }, { inbound_text_id: text.id });
}

/** Whether a text may claim a lead. A provider may understand YES, which claims one, as START. */
export const mayClaim = ({ text, meaning }: Pick<Incoming, 'text' | 'meaning'>): boolean =>
  (meaning === 'start' || meaning === 'other') && meaningOf(text) === 'other';

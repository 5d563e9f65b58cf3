import { meaningOf, noReply, readCallback, refusedCallback, twimlAnswer } from '@crm/delivery';
import { auditChange } from '@crm/messaging';
import { implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { addReply } from '../text-notices/text-notice.queries.ts';
import { inboundTextApi } from './inbound-text.api.ts';
import { decideText, undecidedTexts, unmatchedTexts } from './inbound-text.queries.ts';
import { mayClaim, receiveText } from './receive-text.ts';

export const inboundTextHandlers = ({ delivery }: Settings) =>
  implement(inboundTextApi, {
    receive: inSteps(inboundTextApi.receive, {
      // Only stores the text, so that it is kept whatever other services do.
      act: async (ctx, request) => {
        const text = readCallback(delivery, 'text', '/callbacks/texts', request);
        if (!text) return false;
        await receiveText(ctx, { ...text, at: ctx.now(), isClaim: mayClaim(text) ? undefined : false });
        auditChange(ctx.em, () => ({ type: 'inbound-text', id: null, userId: null }));
        return true;
      },
      finish: async (_ctx, isSigned) => (isSigned ? twimlAnswer(noReply) : refusedCallback),
    }),

    add: async (ctx, { id, from_number: from, body: text, received_at }) => {
      const received = { id, from, text, meaning: meaningOf(text), at: new Date(received_at) };
      await receiveText(ctx, { ...received, isAnswered: false, isClaim: false });
      return {};
    },

    undecided: ({ query }, { skip }) => undecidedTexts(query, skip),

    decide: async ({ query, requestId }, { id, is_claim, reply }) => {
      if ((await decideText(query, id, is_claim)) && reply !== null)
        await addReply({ query, requestId }, { text_id: id, user_id: null, words: reply });
      return {};
    },

    unmatched: ({ query }, { limit, before }) => unmatchedTexts(query, limit, before),
  });

import { implement, inSteps } from '@crm/service';
import { contacts } from '../peers.ts';
import { replyApi } from './reply.api.ts';
import { stopByReply } from './stop-by-reply.ts';

export const replyHandlers = implement(replyApi, {
  take: inSteps(replyApi.take, {
    ask: (ctx, { number }) => contacts.asSystem(ctx).contacts.withMobilePhone({ number }),
    act: async (ctx, reply, contactIds) => ({ stopped: await stopByReply(ctx, reply, contactIds) }),
  }),
});

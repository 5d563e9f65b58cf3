import { communicationStopped } from '@crm/events';
import { implement, inSteps, publish } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import { contacts } from '../peers.ts';
import { replyApi } from './reply.api.ts';
import { noteContactReplies, noteReply, stopTexts } from './reply.queries.ts';

export const replyHandlers = implement(replyApi, {
  take: inSteps(replyApi.take, {
    ask: (ctx, { number }) => contacts.asSystem(ctx).contacts.withMobilePhone({ number }),
    act: async (ctx, reply, contactIds) => {
      // A repeated reply does not stop what was created or reopened since.
      if (!(await noteReply(ctx.query, reply))) return { stopped: [] };
      await noteContactReplies(ctx.query, reply, contactIds);
      const stopped = await stopTexts(ctx.query, reply, contactIds);
      for (const one of stopped) publish(ctx, communicationStopped, one, communicationEventData(one));
      return { stopped: stopped.map(({ id }) => id) };
    },
  }),
});

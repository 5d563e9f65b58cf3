import { isBounceSigned, readBounce } from '@crm/delivery';
import { finishReport, noContent, noteReport, type Received } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { reportedQueues } from '../statuses/reported-queues.ts';
import { bounceApi } from './bounce.api.ts';
import { removeUnmatched, storeUnmatched, unmatchedBounces } from './unmatched-bounce.queries.ts';

export const bounceHandlers = (settings: Settings) => {
  const queues = reportedQueues(settings);
  const { bounceToken } = settings.delivery;
  return implement(bounceApi, {
    report: inSteps(bounceApi.report, {
      act: async (ctx, { body, headers }): Promise<Received> => {
        const { authorization } = headers;
        if (bounceToken === undefined || !isBounceSigned({ body, authorization }, bounceToken))
          return { answer: refused };
        const bounce = readBounce(body);
        // Nobody can fix a report that cannot be read, and a mail server would only send it again.
        if (!bounce) {
          ctx.log.info('a report about an e-mail is ignored: it names none of this system, or no outcome');
          return { answer: noContent };
        }
        const noted = await noteReport(ctx, bounce.key, bounce.report, queues);
        if (!noted) await storeUnmatched(ctx.query, bounce, ctx.now());
        return { answer: noContent, ...noted };
      },
      finish: (ctx, received: Received) => finishReport(ctx, received, queues),
    }),

    unmatched: ({ query }, { skip }) => unmatchedBounces(query, skip),

    settle: async ({ query }, { reports }) => {
      await removeUnmatched(query, reports);
      return {};
    },
  });
};

const refused = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'This report is not signed with the secret of the mail server, or none is configured (BOUNCE_TOKEN).',
};

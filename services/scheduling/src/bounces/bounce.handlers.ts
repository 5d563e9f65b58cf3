import { isBounceSigned, readAbuseReport, readBounce } from '@crm/delivery';
import { finishReport, noContent, noteReport, type Received } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import type { RequestedOptOut } from '../opt-outs/opt-out-request.queries.ts';
import { settleOptOut } from '../opt-outs/settle-opt-outs.ts';
import type { Settings } from '../settings.ts';
import { reportedQueues } from '../statuses/reported-queues.ts';
import { requestUnsubscription } from '../unsubscribe/request-unsubscription.ts';
import { bounceApi } from './bounce.api.ts';
import { removeUnmatched, storeUnmatched, unmatchedBounces } from './unmatched-bounce.queries.ts';

interface ReceivedReport extends Received {
  /** The opt-out of a recipient who marked an e-mail as spam. */
  readonly requested?: RequestedOptOut | undefined;
}

export const bounceHandlers = (settings: Settings) => {
  const queues = reportedQueues(settings);
  const { bounceToken } = settings.delivery;
  return implement(bounceApi, {
    report: inSteps(bounceApi.report, {
      act: async (ctx, { body, headers }): Promise<ReceivedReport> => {
        const { authorization } = headers;
        if (bounceToken === undefined || !isBounceSigned({ body, authorization }, bounceToken))
          return { answer: refused };
        const abuse = readAbuseReport(body);
        if (abuse) {
          const requested = await requestUnsubscription(ctx, abuse.key);
          if (!requested) ctx.log.info('a report of spam is ignored: its e-mail was not sent to a contact');
          return { answer: noContent, requested };
        }
        const bounce = readBounce(body);
        // Nobody can fix an unreadable report, and with an error the mail server would only send it again.
        if (!bounce) {
          ctx.log.info(
            'a report about an e-mail is ignored: it names no e-mail of this system, or no outcome',
          );
          return { answer: noContent };
        }
        const noted = await noteReport(ctx, bounce.key, bounce.report, queues);
        if (!noted) await storeUnmatched(ctx.query, bounce, ctx.now());
        return { answer: noContent, ...noted };
      },
      finish: async (ctx, received: ReceivedReport) => {
        if (received.requested) await settleOptOut(ctx, received.requested);
        return finishReport(ctx, received, queues);
      },
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

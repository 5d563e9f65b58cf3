import { implement, inSteps } from '@crm/service';
import { z } from 'zod';
import { columnsOf, seenAmong } from '../contacts/contact-access.queries.ts';
import { actorNow } from '../on-behalf/actor-now.ts';
import { endOperation } from './end-operation.ts';
import { enrolmentPortionApi } from './enrolment-portion.api.ts';
import { findEnrolling, lockUnsettled } from './enrolment-portion.queries.ts';
import { noteProgress } from './portion.queries.ts';

const Contents = z.object({ id: z.int(), birthday: z.string().nullable() });
const none = (state: 'Waiting' | 'Ended') => ({ state, portion: null });

export const enrolmentPortionHandlers = implement(enrolmentPortionApi, {
  nextPortion: inSteps(enrolmentPortionApi.nextPortion, {
    ask: async (ctx, { id, size }) => {
      const operation = await findEnrolling(ctx.query, id, size);
      if (!operation || operation.has_ended || !operation.is_next) return { operation };
      return { operation, actor: await actorNow(ctx, operation) };
    },
    act: async (ctx, { id }, { operation, actor }) => {
      if (!operation || operation.has_ended) return none('Ended');
      if (!operation.is_next) return none('Waiting');
      if (operation.contact_ids.length === 0) {
        await endOperation(ctx, id, 'Done');
        return none('Ended');
      }
      if (!actor) {
        await endOperation(ctx, id, 'Failed');
        return none('Ended');
      }
      const { contact_ids, processed, campaign_id, origin } = operation;
      const seen = await seenAmong(ctx.query, actor, contact_ids);
      const contents = await columnsOf(
        ctx.query,
        Contents,
        seen.map(({ id }) => id),
      );
      const portion = { processed, contact_ids, campaign_id, request_id: origin.request_id };
      return { state: 'Due' as const, portion: { ...portion, seen: contents, user: actor } };
    },
  }),

  settlePortion: async (ctx, { id, processed, count, problems }) => {
    if (!(await lockUnsettled(ctx.query, id, processed))) return {};
    const isFinished = await noteProgress(ctx.query, id, { count, problems, now: ctx.now() });
    if (isFinished) await endOperation(ctx, id, 'Done');
    return {};
  },
});

import { system } from '@crm/auth';
import { DeadLetterView, deadLetterApi, noRecord, WholeDeadLetterView } from '@crm/contract';
import { findPage, readModel } from '@crm/data';
import { discardDeadLetter, redriveDeadLetter, type Subscription } from '@crm/messaging';
import { implement } from './implement.ts';
import { getRecord } from './read.ts';

const table = 'dead_letters';
/** Only the operator asks. */
const visible = () => ({});

const letterRows = readModel(DeadLetterView, { table, visible, order: [['id', 1]] });
const wholeRows = readModel(WholeDeadLetterView, {
  table,
  visible,
  nested: {
    headers: 'dead_letters.headers',
    data: "translate(encode(dead_letters.data, 'base64'), chr(10), '')",
  },
});

/** What the operator does with the events that a service could not handle. */
export const deadLetterHandlers = (service: string, subscriptions: readonly Subscription[]) =>
  implement(deadLetterApi, {
    find: ({ query }, { after, limit }) => {
      const where = [{ field: 'id', op: '$gt', value: after } as const];
      return findPage(query, letterRows, system, {
        where,
        sort: letterRows.order,
        limit,
        skip: 0,
        select: undefined,
      });
    },

    get: (ctx, { id }) => getRecord(ctx, wholeRows, { id }),

    redrive: async (ctx, { id }) => {
      const redriven = await redriveDeadLetter(ctx.em, service, subscriptions, id);
      if (!redriven) throw noRecord(id);
      return { is_handled: redriven.isHandled, reason: redriven.reason };
    },

    discard: async (ctx, { id }) => {
      const discarded = await getRecord(ctx, wholeRows, { id });
      await discardDeadLetter(ctx.em, service, id);
      return discarded;
    },
  });

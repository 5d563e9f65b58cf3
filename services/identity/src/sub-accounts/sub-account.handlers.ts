import { subAccountToken } from '@crm/auth';
import type { JsonText } from '@crm/data';
import { subAccountRemoved } from '@crm/events';
import {
  answerWith,
  type Context,
  findPage,
  getRecord,
  implement,
  inSteps,
  loadForChange,
  publishRemoval,
} from '@crm/service';
import type { z } from 'zod';
import { addSubAccount } from './add-sub-account.ts';
import { brokersOnly, type SubAccountView, subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { mayHaveSubAccounts } from './sub-account.policy.ts';
import { subAccountRows } from './sub-account.queries.ts';
import { eventData } from './sub-account-event-data.ts';

/** A record as it was read: with the generation of the token instead of the token. */
type Row = { readonly id: number; readonly access_token?: number };

/** The tokens of sub-accounts are derived from the key, because they are shown repeatedly and stored nowhere. */
export function subAccountHandlers({ key }: { readonly key: string }) {
  const withToken = (row: Row) =>
    // Unless other fields were selected.
    row.access_token === undefined
      ? row
      : { ...row, access_token: subAccountToken(key, row.id, row.access_token) };
  const shown = ({ text }: JsonText) => withToken(JSON.parse(text)) as z.output<typeof SubAccountView>;

  return implement(subAccountApi, {
    find: async (ctx, input) => {
      demandBroker(ctx);
      const page = JSON.parse((await findPage(ctx, subAccountRows, input)).text);
      return { ...page, data: page.data.map(withToken) };
    },

    get: async (ctx, input) => {
      demandBroker(ctx);
      return shown(await getRecord(ctx, subAccountRows, input));
    },

    create: inSteps(subAccountApi.create, {
      act: async (ctx, draft) => {
        demandBroker(ctx);
        const { id } = await addSubAccount(ctx, draft, key);
        return answerWith(ctx, subAccountRows, id);
      },
      // Afterwards, so that the response stored for an Idempotency-Key never contains the token.
      finish: async (_ctx, row: Row) => withToken(row) as z.output<typeof SubAccountView>,
    }),

    remove: async (ctx, { id, $where }) => {
      demandBroker(ctx);
      const subAccount = await loadForChange(ctx, SubAccount, subAccountRows, { id, $where });
      const removed = shown(await answerWith(ctx, subAccountRows, id));
      ctx.em.remove(subAccount);
      publishRemoval(ctx, subAccountRemoved, subAccount, eventData(subAccount));
      return removed;
    },
  });
}

function demandBroker({ user }: Context) {
  if (!mayHaveSubAccounts(user)) throw brokersOnly();
}

import { subAccountToken } from '@crm/auth';
import { forbidden } from '@crm/contract';
import { subAccountRemoved } from '@crm/events';
import {
  answerWith,
  type Context,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { addSubAccount } from './add-sub-account.ts';
import { generationsOf } from './generation.queries.ts';
import { subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { mayHaveSubAccounts } from './sub-account.policy.ts';
import { subAccountRows } from './sub-account.queries.ts';
import { factOf } from './sub-account-fact.ts';

type Shown = { readonly id: number };

/** The key is what the tokens of sub-accounts are derived from: they are shown again and again, and stored nowhere. */
export function subAccountHandlers({ key }: { readonly key: string }) {
  async function withTokens<One extends Shown>(ctx: Context, shown: readonly One[]) {
    const generations = await generationsOf(
      ctx.query,
      shown.map(({ id }) => id),
    );
    return shown.map((one) => ({
      ...one,
      access_token: subAccountToken(key, one.id, generations.get(one.id) ?? 0),
    }));
  }
  async function oneWithToken(ctx: Context, text: string) {
    const [one] = await withTokens(ctx, [JSON.parse(text)]);
    return one;
  }

  return implement(subAccountApi, {
    find: async (ctx, input) => {
      demandBroker(ctx);
      const page = JSON.parse((await findPage(ctx, subAccountRows, input)).text);
      return { ...page, data: await withTokens(ctx, page.data) };
    },

    get: async (ctx, input) => {
      demandBroker(ctx);
      return oneWithToken(ctx, (await getRecord(ctx, subAccountRows, input)).text);
    },

    create: async (ctx, draft) => {
      demandBroker(ctx);
      const { id } = await addSubAccount(ctx, draft, key);
      return oneWithToken(ctx, (await answerWith(ctx, subAccountRows, id)).text);
    },

    remove: async (ctx, { id, $where }) => {
      demandBroker(ctx);
      const subAccount = await loadForChange(ctx, SubAccount, subAccountRows, { id, $where });
      const removed = await oneWithToken(ctx, (await answerWith(ctx, subAccountRows, id)).text);
      ctx.em.remove(subAccount);
      publish(ctx, subAccountRemoved, factOf(subAccount, 1));
      return removed;
    },
  });
}

function demandBroker({ user }: Context) {
  if (!mayHaveSubAccounts(user)) throw forbidden({ message: 'Only brokers have sub-accounts.' });
}

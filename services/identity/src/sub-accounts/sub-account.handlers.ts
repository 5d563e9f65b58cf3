import { subAccountToken } from '@crm/auth';
import { noRecord } from '@crm/contract';
import type { JsonText } from '@crm/data';
import {
  answerWith,
  type Context,
  findPage,
  getRecord,
  implement,
  inSteps,
  loadForChange,
} from '@crm/service';
import type { z } from 'zod';
import { idOfUser } from '../users/user-named.ts';
import { addSubAccount } from './add-sub-account.ts';
import { allowBroker } from './allow-broker.ts';
import { removeSubAccount } from './remove-sub-accounts.ts';
import { renewTokensOf } from './renew-tokens.queries.ts';
import { brokersOnly, type SubAccountView, subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { subAccountRows } from './sub-account.queries.ts';

/** A record as read from the database, with the generation of the token instead of the token. */
type Row = { readonly id: number; readonly access_token?: number };

/** The tokens of sub-accounts are derived from the key, because they are shown repeatedly but not stored. */
export function subAccountHandlers({ key }: { readonly key: string }) {
  const withToken = (row: Row) =>
    // Unless other fields were selected.
    row.access_token === undefined
      ? row
      : { ...row, access_token: subAccountToken(key, row.id, row.access_token) };
  const shown = (row: Row) => withToken(row) as z.output<typeof SubAccountView>;
  // Afterwards, so that the response stored for an Idempotency-Key never contains the token.
  const complete = async (_: Context, row: Row) => shown(row);
  const renewed = async (ctx: Context, rows: readonly Row[]): Promise<Row[]> => {
    const ids = rows.filter(({ access_token }) => access_token !== undefined).map(({ id }) => id);
    const generations = await renewTokensOf(ctx, ids, key);
    return rows.map((row) => ({ ...row, ...generations.get(row.id) }));
  };

  return implement(subAccountApi, {
    find: async (ctx, input) => {
      demandBroker(ctx);
      const page = JSON.parse((await findPage(ctx, subAccountRows, input)).text);
      return { ...page, data: (await renewed(ctx, page.data)).map(withToken) };
    },

    get: async (ctx, input) => {
      demandBroker(ctx);
      const [row] = await renewed(ctx, [rowIn(await getRecord(ctx, subAccountRows, input))]);
      if (!row) throw noRecord(input.id);
      return shown(row);
    },

    create: inSteps(subAccountApi.create, {
      act: async (ctx, draft) => {
        demandBroker(ctx);
        const { id } = await addSubAccount(ctx, draft, key);
        return answerWith(ctx, subAccountRows, id);
      },
      complete,
    }),

    consent: async (ctx, { broker, user }) => {
      const brokerId = await idOfUser(ctx, 'broker', broker);
      const userId = await idOfUser(ctx, 'user', user);
      const consent = { brokerId, userId, by: 'operator', origin: undefined } as const;
      const { state, expires_at = null } = await allowBroker(ctx, consent, key);
      const shown = state === 'active' ? state : ('pending' as const);
      return { broker_user_id: brokerId, user_id: userId, state: shown, expires_at };
    },

    remove: inSteps(subAccountApi.remove, {
      act: async (ctx, { id, $where }) => {
        demandBroker(ctx);
        const subAccount = await loadForChange(ctx, SubAccount, subAccountRows, { id, $where });
        const removed = await answerWith(ctx, subAccountRows, id);
        await removeSubAccount(ctx, subAccount, ctx.user.id);
        return removed;
      },
      complete,
    }),
  });
}

const rowIn = ({ text }: JsonText): Row => JSON.parse(text);

function demandBroker({ user }: Context) {
  if (!user.is_broker) throw brokersOnly();
}

import { hashOfToken, subAccountToken } from '@crm/auth';
import { wrong } from '@crm/contract';
import { subAccountCreated } from '@crm/events';
import { type Context, publish, violatedUnique } from '@crm/service';
import type { z } from 'zod';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { User } from '../users/user.entity.ts';
import type { subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { factOf } from './sub-account-fact.ts';

type Draft = z.output<typeof subAccountApi.create.input>;

/**
 * Takes a user in and makes the token a broker uses as that user. A user has one broker; of two brokers who
 * ask at once one is refused.
 */
export async function addSubAccount(ctx: Context, draft: Draft, key: string): Promise<SubAccount> {
  const { em, user, now } = ctx;
  const taken = await em.findOne(User, draft.user_id);
  if (!taken) throw wrong('user_id', `'${draft.user_id}' does not exist`);
  if (taken.id === user.id || taken.is_broker) throw wrong('user_id', 'must be a user who is no broker');
  const stamps = { created_at: now(), modified_at: now() };
  const subAccount = em.create(SubAccount, { ...draft, ...stamps, generation: 1, broker_user_id: user.id });
  await em.flush().catch((error: unknown) => {
    throw violatedUnique(error) ? wrong('user_id', 'has a broker already') : error;
  });
  const { id, user_id, generation } = subAccount;
  const token = em.create(AccessToken, {
    token_hash: hashOfToken(subAccountToken(key, id, generation)),
    user_id,
    name: 'sub-account',
    scope: 'write',
    sub_account_id: id,
    created_at: now(),
    expires_at: new Date(now().getTime() + tokenLifeSeconds * 1000),
  });
  em.persist(token);
  publish(ctx, subAccountCreated, factOf(subAccount));
  return subAccount;
}

import { invalidField, Refused } from '@crm/contract';
import type { Context } from '@crm/service';
import { idOfUser } from '../users/user-named.ts';
import { allowBroker } from './allow-broker.ts';

/** Lets the broker for whom an account was created add it, without a time limit. Throws BadRequest. */
export async function allowBrokerOfNewAccount(
  ctx: Context,
  userId: number,
  broker: number | string,
  key: string,
): Promise<void> {
  const field = 'sub_account_of';
  const brokerId = await idOfUser(ctx, field, broker);
  try {
    await allowBroker(ctx, { brokerId, userId, by: 'new account', origin: undefined }, key);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { user, broker: reason } = error.errors;
    throw invalidField(field, reason ?? `cannot be set: the account ${user}`);
  }
}

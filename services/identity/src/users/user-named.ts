import { invalidField, noRecord, unknownRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { accountDisabled } from './user.api.ts';
import { User } from './user.entity.ts';

/** Locks the user with an id or an e-mail address for a change until the transaction ends. Throws NotFound. */
export function lockUser(ctx: Context, named: number | string): Promise<User> {
  return userNamed(ctx, named, LockMode.PESSIMISTIC_WRITE);
}

/**
 * Locks a user for whom something is created that must not outlive the account, such as an access token. Until the
 * transaction ends, the account cannot be disabled and its password cannot be changed. A later transaction that does so
 * finds the new record and revokes it. Throws NotFound, and Conflict for a disabled account.
 */
export async function lockActiveUser(ctx: Context, named: number | string): Promise<User> {
  const user = await userNamed(ctx, named, LockMode.PESSIMISTIC_READ);
  if (user.disabled_at) throw accountDisabled();
  return user;
}

/** The id of a user. If there is none, throws BadRequest for the given field. */
export async function idOfUser({ em }: Context, field: string, named: number | string): Promise<number> {
  const user = await em.findOne(User, conditionOf(named));
  if (!user) throw invalidField(field, unknownRecord(named));
  return user.id;
}

async function userNamed({ em }: Context, named: number | string, lockMode: LockMode): Promise<User> {
  const user = await em.findOne(User, conditionOf(named), { lockMode });
  if (!user) throw noRecord(named);
  return user;
}

const conditionOf = (named: number | string) =>
  typeof named === 'number' ? { id: named } : { email: named.toLowerCase() };

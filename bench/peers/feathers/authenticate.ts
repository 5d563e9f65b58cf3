import { NotAuthenticated } from '@feathersjs/errors';
import type { NextFunction } from '@feathersjs/feathers';
import type { Knex } from 'knex';
import { tokenHashOf } from '../token-hash.ts';
import type { HookContext } from './context.ts';
import { loadersFor } from './loaders.ts';

export const authenticate = (db: Knex) => async (context: HookContext, next: NextFunction) => {
  const user = await holderOf(db, tokenHashOf(context.params.headers?.authorization));
  if (!user) throw new NotAuthenticated('Invalid access token.');
  context.params = { ...context.params, user, loaders: loadersFor(db, user.id) };
  return next();
};

async function holderOf(db: Knex, hash: string | undefined): Promise<{ id: number } | undefined> {
  if (hash === undefined) return undefined;
  return db('tokens')
    .join('users', 'users.id', 'tokens.user_id')
    .where('tokens.token_hash', hash)
    .whereNull('tokens.revoked_at')
    .whereRaw('tokens.expires_at > now()')
    .whereNull('users.disabled_at')
    .first('users.id');
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { type Actor, hashOfToken, isAccessToken } from '@crm/auth';
import type { SystemCaller } from '@crm/contract';
import { tokenInvalid } from '@crm/contract';
import type { Context } from '@crm/service';
import { knownActors } from './known-actors.ts';
import type { TokenUses } from './token-uses.ts';

/** The secret of everybody who acts as the system. */
export type Credentials = Readonly<Partial<Record<SystemCaller, string>>>;

export type Resolve = (ctx: Context, token: string) => Promise<Actor>;

/** The current actor of an access token, or the service or command whose credential it is. Throws NotAuthenticated. */
export function resolverOf(credentials: Credentials, uses: TokenUses): Resolve {
  const holderOf = knownActors();
  return async (ctx, token) => {
    // Always all of them, so that the time does not tell whose credential a guess resembles.
    const [caller] = Object.entries(credentials).filter(([, secret]) => isSame(token, secret))[0] ?? [];
    if (caller !== undefined) return { system: true, caller };
    const found = isAccessToken(token) ? await holderOf(ctx.query, hashOfToken(token)) : undefined;
    if (!found) throw tokenInvalid();
    uses.note(found.tokenId, ctx.now());
    return found.actor;
  };
}

/** In constant time: both are hashed first, so that their lengths are equal too. */
function isSame(token: string, secret: string): boolean {
  const [a, b] = [token, secret].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

import { timingSafeEqual } from 'node:crypto';
import { hashOfToken, isAccessToken, type System } from '@crm/auth';
import { type SystemCaller, tokenInvalid } from '@crm/contract';
import type { Context } from '@crm/service';
import type { Holder } from './actor.queries.ts';
import { knownActors } from './known-actors.ts';
import type { TokenUses } from './token-uses.ts';

/** The secret of each service and command that acts as the system. */
export type Credentials = Readonly<Partial<Record<SystemCaller, string>>>;

export type Resolve = (ctx: Context, token: string) => Promise<Resolved>;

/** The actor of a token, the same as JSON to pass on, and the version of all rights. */
export type Resolved = Pick<Holder, 'actor' | 'text' | 'version'>;

export interface Resolving {
  readonly credentials: Credentials;
  readonly uses: TokenUses;
  /** The tokens of sub-accounts are derived from it. */
  readonly subAccountKey: string;
}

/** The current actor of an access token, or the service or command whose credential it is. Throws NotAuthenticated. */
export function resolverOf({ credentials, uses, subAccountKey }: Resolving): Resolve {
  const holderOf = knownActors(subAccountKey);
  const systems = Object.entries(credentials).map(([caller, secret]) => {
    const actor: System = { system: true, caller };
    return { hash: bytesOf(hashOfToken(secret)), found: { actor, text: JSON.stringify(actor), version: '' } };
  });
  return async (ctx, token) => {
    const hash = hashOfToken(token);
    const bytes = bytesOf(hash);
    // Compares all of them, so that the time does not reveal which credential a guess resembles.
    const [as] = systems.filter((system) => timingSafeEqual(system.hash, bytes));
    if (as) return as.found;
    const holder = isAccessToken(token) ? await holderOf(ctx.query, hash) : undefined;
    if (!holder) throw tokenInvalid();
    uses.note(holder.tokenId, ctx.now());
    return holder;
  };
}

const bytesOf = (hash: string) => Buffer.from(hash, 'hex');

import { accessTokenRevoked } from '@crm/events';
import type { Context } from '@crm/service';
import { publishFor } from '../publish-for.ts';
import { brokersUsing, endTokens } from './end-sub-account-tokens.queries.ts';
import { scopesIn } from './scope.ts';

/** What a user or an application could act with, and that ends. */
interface Credential {
  readonly user_id: number;
  readonly scope: string;
}

/**
 * Ends the tokens of all sub-accounts of the holder of a credential, if it allowed to read them: whoever had it may have
 * kept them. Who may still read the sub-accounts gets new ones.
 */
export async function endTokensReadWith(ctx: Context, { user_id, scope }: Credential): Promise<void> {
  if (scopesIn(scope).includes('write')) await endTokensOf(ctx, [user_id]);
}

/** The same for all users who have allowed an application to read them. */
export async function endTokensReadBy(ctx: Context, applicationIds: readonly number[]): Promise<void> {
  await endTokensOf(ctx, await brokersUsing(ctx.query, applicationIds));
}

async function endTokensOf(ctx: Context, brokerIds: readonly number[]): Promise<void> {
  for (const { broker_user_id, user_id, ...token } of await endTokens(ctx.query, brokerIds)) {
    const data = { access_token_id: token.id, user_id };
    publishFor(ctx, broker_user_id, accessTokenRevoked, token, data);
  }
}

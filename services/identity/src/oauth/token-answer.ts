import type { z } from 'zod';
import type { IssuedTokens } from '../token-families/issue-tokens.ts';
import type { TokenAnswer } from './oauth.api.ts';

export type Issued = z.output<typeof TokenAnswer>;

export function tokenAnswer({ pair, token: { scope, expires_at }, at }: IssuedTokens): Issued {
  return {
    ...pair,
    expires: expires_at.toISOString(),
    expires_in: Math.round((expires_at.getTime() - at.getTime()) / 1000),
    scope,
    token_type: 'Bearer',
  };
}

import type { z } from 'zod';
import type { AccessToken } from '../tokens/access-token.entity.ts';
import type { TokenAnswer } from './oauth.api.ts';
import type { Pair } from './successors.ts';

export type Issued = z.output<typeof TokenAnswer>;

export function tokenAnswer(pair: Pair, { scope, expires_at }: AccessToken, at: Date): Issued {
  return {
    ...pair,
    expires: expires_at.toISOString(),
    expires_in: Math.round((expires_at.getTime() - at.getTime()) / 1000),
    scope,
    token_type: 'Bearer',
  };
}

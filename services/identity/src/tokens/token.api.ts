import { choice, flag, forOperator, id, instant, integer, internal, notFound, text } from '@crm/contract';
import { z } from 'zod';
import { accountDisabled } from '../users/user.api.ts';

/** The scopes of a token. `write` includes `read`. */
export const scopes = ['read', 'write'] as const;

/** 90 days. */
export const tokenLifeSeconds = 7_776_000;

export const TokenView = z.object({
  id,
  user_id: id,
  name: text(255),
  scope: text(255),
  expires: instant,
});

export const IssuedToken = TokenView.extend({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: integer.describe('Seconds'),
});

export const tokenApi = {
  create: internal({
    ...forOperator,
    secret: true,
    kind: 'mutation',
    summary: 'Create an access token for a user; it is shown only once',
    input: z.object({
      user: z.union([id, text(255)]).describe('The id or the e-mail address of the user'),
      scope: choice(...scopes).default('write'),
      name: text(255).default('personal'),
    }),
    output: IssuedToken,
    refuses: [notFound, accountDisabled],
  }),
  revoke: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Revoke an access token, given the token or its id',
    input: z.object({
      token: z.union([id, text(255)]),
      discard: flag
        .default(false)
        .describe('Whether its only holder is done with it, so that no token that was read with it ends'),
    }),
    output: TokenView,
    refuses: [notFound],
  }),
};

import { z } from 'zod';
import { defineEvent } from './define-event.ts';

export const userCreated = defineEvent(
  'identity.user.created',
  'An account was made',
  z.object({ user_id: z.int() }),
);

export const accessTokenRevoked = defineEvent(
  'identity.access-token.revoked',
  'An access token stopped working before its time',
  z.object({ access_token_id: z.int(), user_id: z.int() }),
);

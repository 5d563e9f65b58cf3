import { web } from '@crm/contract';
import { z } from 'zod';

const form = (shape: z.ZodRawShape) => ({ 'application/x-www-form-urlencoded': z.object(shape) });
const answers = { 200: { 'text/xml': null }, 403: { 'text/plain': null } } as const;

/** Callbacks of the provider of texts and calls, signed with the secret of the account. */
export const callbackApi = {
  keyPress: web({
    rest: 'POST /callbacks/key-presses/:token',
    kind: 'mutation',
    summary: 'Receive the key pressed in a call; 1 claims the lead',
    audience: 'carriers',
    body: form({ CallSid: z.string(), From: z.string(), To: z.string(), Digits: z.string() }),
    answers,
  }),
};

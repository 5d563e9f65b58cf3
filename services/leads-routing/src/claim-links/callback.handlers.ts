import { readCallback, refusedCallback, spoken, twimlAnswer } from '@crm/delivery';
import { type Context, implement, inSteps } from '@crm/service';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import { actorsById } from '../names.ts';
import type { Settings } from '../settings.ts';
import { callbackApi } from './callback.api.ts';
import { keyPressWords } from './callback-words.ts';
import { claimAs } from './claim-as.ts';
import { readClaimToken } from './claim-token.ts';

export const callbackHandlers = (settings: Settings) =>
  implement(callbackApi, {
    keyPress: inSteps(callbackApi.keyPress, {
      ask: async (ctx, request) => {
        const token = request.params.token ?? '';
        const pressed = readCallback(
          settings.delivery,
          'key press',
          `/callbacks/key-presses/${token}`,
          request,
        );
        return pressed
          ? { digits: pressed.digits, claimant: await claimantOf(ctx, settings, token) }
          : undefined;
      },
      act: async (ctx, _request, callback) => {
        if (!callback) return null;
        const { digits, claimant } = callback;
        if (digits !== '1' || !claimant) return { grant: null, outcome: null };
        const { grant, user } = claimant;
        return { grant, outcome: await claimAs(ctx, grant, user) };
      },
      finish: async (ctx, claim) => {
        if (claim?.grant && claim.outcome.is === 'claimed') await giveContactAtOnce(ctx, claim.grant.lead_id);
        if (!claim) return refusedCallback;
        return twimlAnswer(spoken(await keyPressWords(ctx, claim.grant, claim.outcome)));
      },
    }),
  });

async function claimantOf(ctx: Context, { claimKey }: Settings, token: string) {
  const grant = readClaimToken(claimKey, token, ctx.now());
  if (grant?.via !== 'Phone') return undefined;
  const user = (await actorsById(ctx, [grant.user_id])).get(grant.user_id);
  return user && { grant, user };
}

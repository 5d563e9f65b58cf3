import { readCallback, refusedCallback, spoken, twimlAnswer } from '@crm/delivery';
import { type Context, implement, inSteps } from '@crm/service';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import type { Settings } from '../settings.ts';
import { callbackApi } from './callback.api.ts';
import { keyPressWords } from './callback-words.ts';
import { activeAmong, claimAs } from './claim-as.ts';
import { type ClaimGrant, readClaimToken } from './claim-token.ts';

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
        return pressed ? { digits: pressed.digits, grant: await grantOf(ctx, settings, token) } : undefined;
      },
      act: async (ctx, _request, callback) => {
        if (!callback) return null;
        const { digits, grant } = callback;
        if (digits !== '1' || !grant) return { grant: null, outcome: null };
        return { grant, outcome: await claimAs(ctx, grant) };
      },
      finish: async (ctx, claim) => {
        if (claim?.grant && claim.outcome.is === 'claimed') await giveContactAtOnce(ctx, claim.grant.lead_id);
        if (!claim) return refusedCallback;
        return twimlAnswer(spoken(await keyPressWords(ctx, claim.grant, claim.outcome)));
      },
    }),
  });

async function grantOf(ctx: Context, { claimKey }: Settings, token: string): Promise<ClaimGrant | undefined> {
  const grant = readClaimToken(claimKey, token, ctx.now());
  if (grant?.via !== 'Phone') return undefined;
  const active = await activeAmong(ctx, [grant.user_id]);
  return active.length > 0 ? grant : undefined;
}

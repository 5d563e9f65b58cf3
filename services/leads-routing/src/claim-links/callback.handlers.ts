import type { WebAnswer, WebRequest } from '@crm/contract';
import { type Inbound, readInbound, spoken, written } from '@crm/delivery';
import { type Context, implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { callbackApi } from './callback.api.ts';
import { keyPressWords } from './callback-words.ts';
import { activeAmong, claimAs } from './claim-as.ts';
import { type ClaimGrant, readClaimToken } from './claim-token.ts';
import { activeMembersAt, receiveText, replyTo } from './receive-text.ts';

export const callbackHandlers = (settings: Settings) =>
  implement(callbackApi, {
    text: inSteps(callbackApi.text, {
      ask: async (ctx, request) => {
        const text = readCallback(settings, 'text', '/callbacks/texts', request);
        return text && { text, active: await activeMembersAt(ctx, text.from) };
      },
      act: async (ctx, _request, callback) =>
        callback ? receiveText(ctx, callback.text, callback.active) : null,
      finish: async (ctx, received) => (received ? twiml(written(await replyTo(ctx, received))) : refused),
    }),

    keyPress: inSteps(callbackApi.keyPress, {
      ask: async (ctx, request) => {
        const token = request.params.token ?? '';
        const pressed = readCallback(settings, 'key press', `/callbacks/key-presses/${token}`, request);
        return pressed ? { digits: pressed.digits, grant: await grantOf(ctx, settings, token) } : undefined;
      },
      act: async (ctx, _request, callback) => {
        if (!callback) return null;
        const { digits, grant } = callback;
        if (digits !== '1' || !grant) return { grant: null, outcome: null };
        return { grant, outcome: await claimAs(ctx, grant) };
      },
      finish: async (ctx, claim) =>
        claim ? twiml(spoken(await keyPressWords(ctx, claim.grant, claim.outcome))) : refused,
    }),
  });

/** What the provider posts, or nothing if the provider did not sign it. It signs the URL that it was given. */
function readCallback<Kind extends Inbound['kind']>(
  { delivery: { publicUrl, carrier } }: Settings,
  kind: Kind,
  path: string,
  { query, body, headers }: WebRequest,
) {
  const url = `${publicUrl}${path}${query === '' ? '' : `?${query}`}`;
  const inbound = readInbound({ url, body, signature: headers['x-twilio-signature'] }, carrier.authToken);
  return inbound?.kind === kind ? (inbound as Extract<Inbound, { kind: Kind }>) : undefined;
}

async function grantOf(ctx: Context, { claimKey }: Settings, token: string): Promise<ClaimGrant | undefined> {
  const grant = readClaimToken(claimKey, token, ctx.now());
  if (grant?.via !== 'Phone') return undefined;
  const active = await activeAmong(ctx, [grant.user_id]);
  return active.length > 0 ? grant : undefined;
}

const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const twiml = (body: string): WebAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8', ...noStore },
  body,
});

const refused: WebAnswer = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...noStore },
  body: 'This callback is not signed by the provider, or a required field is missing.',
};

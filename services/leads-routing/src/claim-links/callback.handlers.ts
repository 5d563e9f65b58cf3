import type { WebAnswer, WebRequest } from '@crm/contract';
import { type Inbound, readInbound, spoken, written } from '@crm/delivery';
import { type Context, implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { callbackApi } from './callback.api.ts';
import { pressedWords } from './callback-words.ts';
import { activeAmong, claimAs } from './claim-as.ts';
import { type ClaimGrant, readClaimToken } from './claim-token.ts';
import { activeMembersAt, answerText, takeText } from './take-text.ts';

export const callbackHandlers = ({ delivery, claimKey }: Settings) => {
  const { publicUrl, carrier } = delivery;

  /** What the provider says, if it was the provider. Its signature is over the URL that it was given. */
  const inbound = <Kind extends Inbound['kind']>(
    kind: Kind,
    path: string,
    { query, body, headers }: WebRequest,
  ) => {
    const url = `${publicUrl}${path}${query === '' ? '' : `?${query}`}`;
    const said = readInbound({ url, body, signature: headers['x-twilio-signature'] }, carrier.authToken);
    return said?.kind === kind ? (said as Extract<Inbound, { kind: Kind }>) : undefined;
  };

  return implement(callbackApi, {
    text: inSteps(callbackApi.text, {
      ask: async (ctx, request) => {
        const said = inbound('text', '/callbacks/texts', request);
        return said && { said, active: await activeMembersAt(ctx, said.from) };
      },
      act: async (ctx, _request, texted) => (texted ? takeText(ctx, texted.said, texted.active) : null),
      finish: async (ctx, done) => (done ? twiml(written(await answerText(ctx, done))) : refused),
    }),

    keyPress: inSteps(callbackApi.keyPress, {
      ask: async (ctx, request) => {
        const token = request.params.token ?? '';
        const said = inbound('key press', `/callbacks/key-presses/${token}`, request);
        return said ? { digits: said.digits, grant: await grantOf(ctx, token) } : undefined;
      },
      act: async (ctx, _request, pressed) => {
        if (!pressed) return null;
        const { digits, grant } = pressed;
        if (digits !== '1' || !grant) return { grant: null, outcome: null };
        return { grant, outcome: await claimAs(ctx, grant) };
      },
      finish: async (ctx, done) =>
        done ? twiml(spoken(await pressedWords(ctx, done.grant, done.outcome))) : refused,
    }),
  });

  async function grantOf(ctx: Context, token: string): Promise<ClaimGrant | undefined> {
    const grant = readClaimToken(claimKey, token, ctx.now());
    if (grant?.via !== 'Phone') return undefined;
    const active = await activeAmong(ctx, [grant.user_id]);
    return active.length > 0 ? grant : undefined;
  }
};

const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const twiml = (body: string): WebAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8', ...noStore },
  body,
});

const refused: WebAnswer = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...noStore },
  body: 'This callback does not have the signature of the provider, or not what it must say.',
};

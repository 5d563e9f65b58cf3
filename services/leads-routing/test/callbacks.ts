import { randomUUID } from 'node:crypto';
import { signatureOf } from '@crm/delivery';
import { decideTexts } from '../src/claim-links/decide-texts.ts';
import { type dispatchUnderTest, publicUrl } from './dispatch.ts';
import { askWeb } from './web.ts';

interface Posting {
  readonly call?: Parameters<typeof askWeb>[0];
  readonly procedure: string;
  readonly path: string;
  readonly params?: Record<string, string>;
  readonly form: Record<string, string>;
  readonly secret?: string;
  readonly query?: string;
}

export const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

type Under = Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'service' | 'settings' | 'workerContext'>;

const posting = (under: Under) => (posted: Posting) => {
  const { call = under.service.call, procedure, path, params = {}, form, query = '' } = posted;
  const body = new URLSearchParams(form);
  const url = `${publicUrl}${path}${query && `?${query}`}`;
  const secret = posted.secret ?? under.settings.delivery.carrier.authToken;
  const headers = { 'x-twilio-signature': signatureOf(url, body, secret) };
  return askWeb(call, procedure, { params, query, headers, body: body.toString() });
};

/** Texts the number of the system, and returns the text with which it replies once it was decided about. */
const texting =
  (under: Under) =>
  async (from: string, words: string, id = sid()) => {
    const { scheduling } = under.service;
    const form = { MessageSid: id, From: from, To: under.settings.delivery.carrier.number, Body: words };
    const receiving = { procedure: 'inboundTexts.receive', path: '/callbacks/texts', form };
    const { status } = await posting(under)({ call: scheduling.call, ...receiving });
    if (status !== 200) throw new Error(`The callback was answered with ${status}.`);
    await decideTexts(under.workerContext);
    const [reply] = await scheduling.rows('select words from text_notices where text_id = $1', [id]);
    return reply && String(reply.words);
  };

/** Posts callbacks as the provider does. */
export function callbacksOf(under: Under) {
  const post = posting(under);
  return {
    text: texting(under),

    status: (key: string, status: string, other: Partial<Posting> = {}) =>
      post({
        procedure: 'alertStatuses.report',
        path: `/callbacks/alert-statuses/${key}`,
        params: { key },
        form: { MessageSid: sid(), MessageStatus: status },
        ...other,
      }),

    press: (url: string, digit: string, to: string, other: Partial<Posting> = {}) => {
      const { pathname } = new URL(url);
      const { number } = under.settings.delivery.carrier;
      return post({
        procedure: 'callbacks.keyPress',
        path: pathname,
        params: { token: pathname.slice(pathname.lastIndexOf('/') + 1) },
        form: { CallSid: 'CA0123', From: number, To: to, Digits: digit },
        ...other,
      });
    },
  };
}

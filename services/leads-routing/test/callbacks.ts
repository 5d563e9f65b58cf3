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

/** Posts callbacks as the provider does. */
export function callbacksOf({
  service,
  settings,
  workerContext,
}: Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'service' | 'settings' | 'workerContext'>) {
  const { authToken, number } = settings.delivery.carrier;

  function post({
    call = service.call,
    procedure,
    path,
    params = {},
    form,
    secret = authToken,
    query = '',
  }: Posting) {
    const body = new URLSearchParams(form);
    const url = `${publicUrl}${path}${query && `?${query}`}`;
    const headers = { 'x-twilio-signature': signatureOf(url, body, secret) };
    return askWeb(call, procedure, { params, query, headers, body: body.toString() });
  }

  return {
    /** Texts the number of the system, and returns the text with which it replies once it was decided about. */
    async text(from: string, words: string, id = sid()): Promise<string | undefined> {
      const form = { MessageSid: id, From: from, To: number, Body: words };
      const call = service.scheduling.call;
      const { status } = await post({
        call,
        procedure: 'inboundTexts.receive',
        path: '/callbacks/texts',
        form,
      });
      if (status !== 200) throw new Error(`The callback was answered with ${status}.`);
      await decideTexts(workerContext);
      const [reply] = await service.scheduling.rows('select words from text_notices where text_id = $1', [
        id,
      ]);
      return reply && String(reply.words);
    },

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

import { randomUUID } from 'node:crypto';
import { signatureOf } from '@crm/delivery';
import { type dispatchUnderTest, publicUrl } from './dispatch.ts';
import { askWeb } from './web.ts';

interface Posting {
  readonly procedure: string;
  readonly path: string;
  readonly params?: Record<string, string>;
  readonly form: Record<string, string>;
  readonly secret?: string;
  readonly query?: string;
}

export const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

/** Posts callbacks as the provider does. */
export function callbacksOf({ service, settings }: Awaited<ReturnType<typeof dispatchUnderTest>>) {
  const { authToken, number } = settings.delivery.carrier;

  function post({ procedure, path, params = {}, form, secret = authToken, query = '' }: Posting) {
    const body = new URLSearchParams(form);
    const url = `${publicUrl}${path}${query && `?${query}`}`;
    const headers = { 'x-twilio-signature': signatureOf(url, body, secret) };
    return askWeb(service.call, procedure, { params, query, headers, body: body.toString() });
  }

  return {
    text: (from: string, words: string, id = sid(), other: Partial<Posting> = {}) =>
      post({
        procedure: 'callbacks.text',
        path: '/callbacks/texts',
        form: { MessageSid: id, From: from, To: number, Body: words },
        ...other,
      }),

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

export const message = (words: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response><Message>${words}</Message></Response>`;
export const silence = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

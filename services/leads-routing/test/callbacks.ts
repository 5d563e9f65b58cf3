import { randomUUID } from 'node:crypto';
import { type Callback, callbackRequest } from '@crm/delivery/testing';
import { decideTexts } from '../src/claim-links/decide-texts.ts';
import type { dispatchUnderTest } from './dispatch.ts';

export const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

type Under = Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'service' | 'settings' | 'workerContext'>;

/** Posts callbacks as the provider does. */
export function callbacksOf({ service, settings: { delivery }, workerContext }: Under) {
  const { scheduling, asSystem } = service;
  const { number } = delivery.carrier;
  return {
    /** Sends a text to the number of the system, and returns the reply once the text has been decided. */
    async text(from: string, words: string, id = sid()) {
      const form = { MessageSid: id, From: from, To: number, Body: words };
      const request = callbackRequest(delivery, { path: '/callbacks/texts', form });
      const { status } = await scheduling.asSystem.inboundTexts.receive(request);
      if (status !== 200) throw new Error(`The callback was answered with ${status}.`);
      await decideTexts(workerContext);
      const [reply] = await scheduling.rows('select words from text_notices where text_id = $1', [id]);
      return reply && String(reply.words);
    },

    status: (key: string, status: string, other: Partial<Callback> = {}) =>
      asSystem.alertStatuses.report(
        callbackRequest(delivery, {
          path: `/callbacks/alert-statuses/${key}`,
          params: { key },
          form: { MessageSid: sid(), MessageStatus: status },
          ...other,
        }),
      ),

    press: (url: string, digit: string, to: string, other: Partial<Callback> = {}) => {
      const { pathname } = new URL(url);
      return asSystem.callbacks.keyPress(
        callbackRequest(delivery, {
          path: pathname,
          params: { token: pathname.slice(pathname.lastIndexOf('/') + 1) },
          form: { CallSid: 'CA0123', From: number, To: to, Digits: digit },
          ...other,
        }),
      );
    },
  };
}

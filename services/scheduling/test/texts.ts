import { randomUUID } from 'node:crypto';
import { signatureOf } from '@crm/delivery';
import { openDispatch } from '@crm/dispatch';
import { settleTexts } from '../src/inbound-texts/settle-texts-worker.ts';
import { noticeQueue } from '../src/text-notices/text-notice-dispatcher.ts';
import type { dispatchUnderTest } from './dispatch.ts';
import { publicUrl } from './harness.ts';

interface Posting {
  readonly secret?: string;
  readonly path?: string;
  readonly query?: string;
  readonly form?: Readonly<Record<string, string>>;
}

export const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

/** Texts that come in, as the provider posts them, and what follows from them. */
export function textsOf({ service, settings, workerContext }: Awaited<ReturnType<typeof dispatchUnderTest>>) {
  const { authToken, number } = settings.delivery.carrier;

  /** Posts a text, and returns the response to the callback. */
  async function post(from: string, words: string, id = sid(), other: Posting = {}) {
    const { secret = authToken, path = '/callbacks/texts', query = '', form = {} } = other;
    const body = new URLSearchParams({ MessageSid: id, From: from, To: number, Body: words, ...form });
    const signature = signatureOf(`${publicUrl}${path}${query && `?${query}`}`, body, secret);
    const request = { params: {}, query, headers: { 'x-twilio-signature': signature }, address: '127.0.0.1' };
    const { text } = await service.call({
      procedure: 'inboundTexts.receive',
      input: { ...request, body: body.toString() },
      credential: undefined,
      requestId: 'a-test',
    });
    return JSON.parse(text) as { status: number; body: string };
  }

  const dispatch = openDispatch(noticeQueue(settings), settings.delivery, workerContext);

  /** Does what follows from the texts, as if none of the undecided ones claimed a lead, and sends the notices. */
  async function settle() {
    for (const { id } of await service.asSystem.inboundTexts.undecided({}))
      await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
    await service.rows('update inbound_texts set next_attempt_at = now() where settled_at is null');
    await settleTexts(workerContext);
  }
  async function notify() {
    await dispatch.finish(await dispatch.take({ Email: 100, Text: 100 }), () => undefined);
  }

  return {
    post,
    settle,
    /** Both, and the texts and e-mails that are sent because of them. */
    async afterwards() {
      await settle();
      await notify();
    },
    stored: async (id: string) =>
      (
        await service.rows(
          'select from_number, body, meaning, contact_id, settled_at is not null as settled from inbound_texts where id = $1',
          [id],
        )
      )[0],
  };
}

import { randomUUID } from 'node:crypto';
import { gateway } from '@crm/auth';
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

type Under = Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'service' | 'settings' | 'workerContext'>;

/** Posts texts as the provider does; returns the response to the callback. */
function postingTo({ service, settings }: Under) {
  const { authToken, number } = settings.delivery.carrier;
  return async (from: string, words: string, id = sid(), other: Posting = {}) => {
    const { secret = authToken, path = '/callbacks/texts', query = '', form = {} } = other;
    const body = new URLSearchParams({ MessageSid: id, From: from, To: number, Body: words, ...form });
    const signature = signatureOf(`${publicUrl}${path}${query && `?${query}`}`, body, secret);
    const request = { params: {}, query, headers: { 'x-twilio-signature': signature }, address: '127.0.0.1' };
    const { text } = await service.call({
      procedure: 'inboundTexts.receive',
      input: { ...request, body: body.toString() },
      credential: { actor: gateway },
      requestId: 'a-test',
    });
    return JSON.parse(text) as { status: number; body: string };
  };
}

/** Texts that come in, and what follows from them. */
export function textsOf(under: Under) {
  const { service, settings, workerContext } = under;
  const dispatch = openDispatch(noticeQueue(settings), settings.delivery, workerContext);

  /** Does what follows from the texts, as if none of the undecided ones claimed a lead. */
  async function settle() {
    for (const { id } of await service.asSystem.inboundTexts.undecided({}))
      await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
    await service.rows('update inbound_texts set next_attempt_at = now() where settled_at is null');
    await settleTexts(workerContext);
  }

  return {
    post: postingTo(under),
    settle,
    /** Does what `settle` does, and sends the texts and e-mails about them. */
    async afterwards() {
      await settle();
      await dispatch.send(await dispatch.lease({ Email: 100, Text: 100 }), () => undefined);
    },
    stored: async (id: string) => {
      const columns = 'from_number, body, meaning, contact_id, settled_at is not null as settled';
      return (await service.rows(`select ${columns} from inbound_texts where id = $1`, [id]))[0];
    },
  };
}

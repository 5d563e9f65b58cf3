import { randomUUID } from 'node:crypto';
import { type Callback, callbackRequest } from '@crm/delivery/testing';
import { openDispatch } from '@crm/dispatch';
import { sendDue } from '@crm/testing';
import { settleTexts } from '../src/inbound-texts/settle-texts-worker.ts';
import { noticeQueue } from '../src/text-notices/text-notice-dispatcher.ts';
import type { dispatchUnderTest } from './dispatch.ts';

export const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

type Under = Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'service' | 'settings' | 'workerContext'>;

/** Incoming texts, and their effects. */
export function textsOf(under: Under) {
  const { service, settings, workerContext } = under;
  const dispatch = openDispatch(noticeQueue(settings), settings.delivery, workerContext);

  /** Processes the texts, as if none of the undecided ones claimed a lead. */
  async function settle() {
    for (const { id } of await service.asSystem.inboundTexts.undecided({}))
      await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
    await service.rows('update inbound_texts set next_attempt_at = now() where settled_at is null');
    await settleTexts(workerContext);
  }

  return {
    /** Posts a text as the provider does; returns the response to the callback. */
    post(from: string, words: string, id = sid(), { form = {}, ...other }: Partial<Callback> = {}) {
      const sent = { MessageSid: id, From: from, To: settings.delivery.carrier.number, Body: words, ...form };
      const callback = { path: '/callbacks/texts', ...other, form: sent };
      return service.asSystem.inboundTexts.receive(callbackRequest(settings.delivery, callback));
    },
    settle,
    /** Does what `settle` does, and sends the texts and e-mails about them. */
    async afterwards() {
      await settle();
      await sendDue(dispatch, { Email: 100, Text: 100 });
    },
    stored: async (id: string) => {
      const columns = 'from_number, body, meaning, contact_id, settled_at is not null as settled';
      return (await service.rows(`select ${columns} from inbound_texts where id = $1`, [id]))[0];
    },
  };
}

import { withheldReason } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { textsOf } from '../../test/texts.ts';
import { fetchMissedTexts } from '../inbound-texts/fetch-missed-texts.ts';
import { schedulingStore } from '../store.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, due, settings, workerContext } = under;
const { post, settle, afterwards } = textsOf(under);

describe('a notice of a text', () => {
  it('reaches an agent however long e-mail was unavailable, while a late reply is given up', async () => {
    const { from, to } = await due('Text Contact');
    await turn();
    await post(to.phone, 'Help');
    await settle();
    await service.rows("update inbound_texts set received_at = received_at - interval '2 days'");
    await service.rows("update text_notices set due_at = due_at - interval '2 days'");
    mail.behave(() => ({ answer: 451 }));
    const before = carrier.texts().length;
    await afterwards();
    const states = () => service.rows('select channel, state, reason from text_notices order by channel');
    expect(await states()).toMatchObject([
      { channel: 'Email', state: 'Waiting' },
      { channel: 'Text', state: 'Failed', reason: 'It is too late.' },
    ]);
    mail.behave(undefined);
    await service.rows('update text_notices set next_attempt_at = now()');
    await afterwards();
    expect(await states()).toMatchObject([{ state: 'Done' }, { state: 'Failed' }]);
    const mails = (await mail.mails()).filter(({ to: all }) => all.some((one) => one.includes(from.email)));
    expect(mails).toMatchObject([{ subject: 'Text from Carla Jones' }]);
    expect(carrier.texts()).toHaveLength(before);
  });

  it('of a text that arrived before a restore is not sent, because it may have been', async () => {
    const { from, to } = await due('Text Contact');
    await turn();
    for (const text of ['Help', 'Yes']) await carrier.reply(to.phone, text).catch(() => undefined);
    for (const statement of schedulingStore.onRestore ?? []) await service.rows(statement);
    // The clock of the carrier may be ahead.
    await service.rows("update restorations set restored_at = restored_at + interval '1 second'");
    const before = carrier.texts().length;
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    const [yes] = await service.asSystem.inboundTexts.undecided({});
    const claim = { id: String(yes?.id), is_claim: true, reply: 'It is yours.' };
    await service.asSystem.inboundTexts.decide(claim);
    await afterwards();
    expect(carrier.texts()).toHaveLength(before);
    expect((await mail.mails()).filter(({ to: all }) => all.some((one) => one.includes(from.email)))).toEqual(
      [],
    );
    const withheld = { state: 'Failed', reason: withheldReason };
    expect(
      await service.rows(
        `select channel, state, n.reason from text_notices n join inbound_texts x on x.id = n.text_id
         where from_number = $1 order by channel, n.id`,
        [to.phone],
      ),
    ).toEqual([
      { channel: 'Email', ...withheld },
      { channel: 'Text', ...withheld },
      { channel: 'Text', ...withheld },
    ]);
    await service.rows('delete from restorations');
    await post(to.phone, 'Help');
    await afterwards();
    expect(carrier.texts()).toHaveLength(before + 1);
  });

  it('shares slots with those of the same owner and sender', async () => {
    const { from, to } = await due('Text Contact');
    await turn();
    await post(to.phone, 'Help');
    await settle();
    const owners = await service.rows(
      `select owner_user_id from text_notices n join inbound_texts x on x.id = n.text_id where x.from_number = $1`,
      [to.phone],
    );
    expect(owners).toEqual([{ owner_user_id: from.id }, { owner_user_id: from.id }]);
    await afterwards();
  });

  it('is not sent repeatedly to a mail server that accepts it but does not say so', async () => {
    const { to } = await due('Text Contact');
    await turn();
    await post(to.phone, 'Is it still for sale?');
    await settle();
    mail.behave(() => 'break after accepting');
    for (let attempt = 1; attempt <= 5; attempt++) {
      await service.rows("update text_notices set next_attempt_at = now() where state = 'Waiting'");
      await afterwards();
    }
    mail.behave(undefined);
    const [notice] = await service.rows(
      "select key, state from text_notices where state <> 'Done' and channel = 'Email' and contact_id = $1",
      [to.id],
    );
    expect(notice).toMatchObject({ state: 'Unknown' });
    expect(under.received(notice?.key).arrivals).toBe(3);
  });
});

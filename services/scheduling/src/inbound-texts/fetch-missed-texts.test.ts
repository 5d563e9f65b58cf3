import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { sid, textsOf } from '../../test/texts.ts';
import { fetchMissedTexts } from './fetch-missed-texts.ts';
import { leaseTexts } from './inbound-text.queries.ts';
import { settleText } from './settle-text.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, number, settings, workerContext } = under;
const { post, settle, afterwards } = textsOf(under);
const { optOuts } = service.contacts.asSystem;

const eventsOf = (contact_id: number) =>
  service.contacts.rows('select description from events where contact_id = $1 order by id', [contact_id]);
const textsTo = (phone: string) => carrier.texts().filter(({ to }) => to === phone);

describe('texts whose callbacks never arrived', () => {
  it("are fetched from the provider's list, once, with the time of their arrival", async () => {
    const { phone, id: contact_id } = await under.contact();
    // Nobody listens at the public URL, so the callback fails.
    await carrier.reply(phone, 'Anybody there?').catch(() => undefined);
    for (let times = 0; times < 2; times++) {
      await fetchMissedTexts(settings.delivery.carrier, workerContext);
      await settle();
    }
    expect(await eventsOf(contact_id)).toMatchObject([{ description: 'Anybody there?' }]);
  });

  it('are fetched although another text has arrived on a later day since the list was read', async () => {
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    const { phone, id: contact_id } = await under.contact();
    await carrier.reply(phone, 'STOP').catch(() => undefined);
    const later = sid();
    await post(number(), 'Hello', later);
    await service.rows(
      "update inbound_texts set received_at = received_at + interval '3 days' where id = $1",
      [later],
    );
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    await settle();
    expect(await eventsOf(contact_id)).toMatchObject([{ description: 'STOP' }]);
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
  });

  it('have the meaning of their callbacks, if these arrive after all', async () => {
    const { phone, id: contact_id } = await under.contact();
    await carrier.reply(phone, 'Genoeg').catch(() => undefined);
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
    const [{ id } = { id: '' }] = await service.rows('select id from inbound_texts where from_number = $1', [
      phone,
    ]);
    for (let times = 0; times < 2; times++) {
      await post(phone, 'Genoeg', String(id), { form: { OptOutType: 'STOP' } });
      await settle();
    }
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
    expect(await eventsOf(contact_id)).toMatchObject([{ description: 'Genoeg' }]);
  });

  it('have the meaning of their callbacks, even if these arrive while their words are being processed', async () => {
    const { phone } = await under.contact();
    await carrier.reply(phone, 'Genoeg').catch(() => undefined);
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    const { query } = service.database;
    for (const { id } of await service.asSystem.inboundTexts.undecided({}))
      await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
    const [text] = await leaseTexts(query, 10);
    await post(phone, 'Genoeg', text?.id, { form: { OptOutType: 'STOP' } });
    if (text) await settleText(workerContext, text);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
  });

  it('are not answered when a callback says that the provider has already replied', async () => {
    const { phone } = await under.contact();
    await carrier.reply(phone, 'HELP').catch(() => undefined);
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    const text = async () =>
      (
        await service.rows('select id, is_answered, settled_at from inbound_texts where from_number = $1', [
          phone,
        ])
      )[0];
    await post(phone, 'HELP', String((await text())?.id), { form: { OptOutType: 'HELP' } });
    expect(await text()).toMatchObject({ is_answered: true, settled_at: null });
  });

  const fetched = (at: string) => service.rows(`update text_fetches set fetched_at = ${at}`);
  const missed = async (words: string, age: string) => {
    const { phone, id } = await under.contact();
    await carrier
      .reply(phone, words, new Date(Date.now() - Temporal.Duration.from(age).total('milliseconds')))
      .catch(() => undefined);
    return { phone, id };
  };

  it('are fetched after an outage of weeks', async () => {
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    await fetched("now() - interval '21 days'");
    const { phone } = await missed('STOP', 'PT336H');
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
  });

  it('are fetched although a wrong clock has read the list in the future', async () => {
    await fetched("now() + interval '1 year'");
    for (const _ of [1, 2]) {
      const { id } = await missed('Hello', 'PT1H');
      await fetchMissedTexts(settings.delivery.carrier, workerContext);
      await settle();
      expect(await eventsOf(id)).toMatchObject([{ description: 'Hello' }]);
    }
    expect(await service.rows('select from text_fetches where fetched_at <= now()')).toHaveLength(1);
  });

  it('are not answered when they become known days later', async () => {
    await fetched("now() - interval '7 days'");
    const { phone } = await missed('HELP', 'PT120H');
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    await afterwards();
    expect(textsTo(phone)).toEqual([]);
  });

  it('are fetched later if the provider does not respond with a list', async () => {
    const wrong = { ...settings.delivery.carrier, authToken: 'another-secret' };
    await expect(fetchMissedTexts(wrong, workerContext)).rejects.toThrow('responded with 401');
  });
});

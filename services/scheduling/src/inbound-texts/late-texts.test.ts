import { afterAll, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { sid, textsOf } from '../../test/texts.ts';
import { fetchMissedTexts } from './fetch-missed-texts.ts';
import { leaseTexts } from './inbound-text.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, due, later, settings, workerContext } = under;
const { post, settle, stored } = textsOf(under);

const textsOfContact = (contact_id: number) =>
  service.contacts.rows('select description from events where contact_id = $1', [contact_id]);

it('a text that is decided again stays settled', async () => {
  const { phone } = await under.contact();
  const id = sid();
  await post(phone, 'Yes', id);
  await settle();
  expect(await stored(id)).toMatchObject({ settled: true });
  await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
  await service.asSystem.inboundTexts.decide({ id, is_claim: true, reply: null });
  expect(await stored(id)).toMatchObject({ settled: true });
  expect(await service.rows('select is_claim from inbound_texts where id = $1', [id])).toEqual([
    { is_claim: false },
  ]);
});

it('a text that asks for no more texts comes before others that have waited longer', async () => {
  for (const words of ['Hello', 'STOP', 'Please stop texting me']) await post(under.number(), words);
  for (const { id } of await service.asSystem.inboundTexts.undecided({}))
    await service.asSystem.inboundTexts.decide({ id, is_claim: false, reply: null });
  await service.rows(
    "update inbound_texts set next_attempt_at = now() - interval '1 hour' where body = 'Hello'",
  );
  const { query } = workerContext.database;
  const first = [...(await leaseTexts(query, 1)), ...(await leaseTexts(query, 1))];
  expect(first.map(({ body }) => body).sort()).toEqual(['Please stop texting me', 'STOP']);
  expect(await leaseTexts(query, 1)).toMatchObject([{ body: 'Hello' }]);
});

it('a reply to the first of two attempts to send a text, known after the second, belongs to the contact who was texted', async () => {
  const { id, to, now } = await due('Text Contact');
  const other = await under.contact({ mobile_phone: to.phone });
  carrier.behave(() => 'break after accepting');
  await turn();
  carrier.behave(undefined);
  const received_at = new Date().toISOString();
  await later();
  await turn();
  expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
  await service.rows("update communications set begun_at = begun_at + interval '1 minute' where id = $1", [
    id,
  ]);
  await service.asSystem.inboundTexts.add({ id: sid(), from_number: to.phone, body: 'Fine', received_at });
  await settle();
  expect(await textsOfContact(to.id)).toEqual([{ description: 'Fine' }]);
  expect(await textsOfContact(other.id)).toEqual([]);
});

const missed = async (hours: number) => {
  const { phone, id } = await under.contact();
  await carrier.reply(phone, 'Hello', new Date(Date.now() - hours * 3_600_000)).catch(() => undefined);
  return () =>
    fetchMissedTexts(settings.delivery.carrier, workerContext)
      .then(settle)
      .then(() => textsOfContact(id));
};

it('a text that the provider lists a day late is fetched', async () => {
  await fetchMissedTexts(settings.delivery.carrier, workerContext);
  const fetched = await missed(23.9);
  expect(await fetched()).toEqual([{ description: 'Hello' }]);
});

it('a text older than those that are kept is not considered new', async () => {
  await fetchMissedTexts(settings.delivery.carrier, workerContext);
  await service.rows("update text_fetches set fetched_at = now() - interval '200 days'");
  const fetched = await missed(100 * 24);
  expect(await fetched()).toEqual([]);
});

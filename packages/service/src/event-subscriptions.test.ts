import { type Actor, system } from '@crm/auth';
import { type RouterOf, tokenInvalid } from '@crm/contract';
import { freshDatabase, someone } from '@crm/testing';
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type notesApi, notesService } from '../test/notes.ts';
import { proxyTo } from '../test/proxy.ts';
import { startNotes } from '../test/start-notes.ts';

type NotesRouter = RouterOf<typeof notesApi>;
interface Received {
  readonly id: string;
  readonly data: { readonly data?: unknown };
}

const tokens = {
  platform: `crm_sv_${'p'.repeat(43)}`,
  contacts: `crm_sv_${'c'.repeat(43)}`,
  revoked: `crm_sv_${'r'.repeat(43)}`,
  user: `crm_op_${'u'.repeat(43)}`,
};
const actors = new Map<unknown, Actor>([
  [tokens.platform, { system: true, caller: 'platform' }],
  [tokens.contacts, { system: true, caller: 'contacts' }],
  [tokens.revoked, { system: true, caller: 'platform' }],
  [tokens.user, someone()],
]);

const fresh = await freshDatabase([notesService.store]);
const start = () =>
  startNotes(fresh.urls.notes, {
    async identity({ input }) {
      const actor = actors.get((input as { readonly token?: unknown }).token);
      if (!actor) throw tokenInvalid();
      return { text: JSON.stringify(actor), replayed: false };
    },
  });
const service = await start();
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const anna = someone();
const write = async (text: string) => {
  const call = { procedure: 'notes.create', input: { text }, credential: { actor: anna }, requestId: 'w' };
  return (JSON.parse((await service.call(call)).text) as { readonly id: number }).id;
};
const writeAll = async (texts: readonly string[]) => {
  const ids: number[] = [];
  for (const text of texts) ids.push(await write(text));
  return ids;
};

/** Of notes, each its own aggregate: events of several may come in another order, and one that is published again twice. */
const idsIn = (received: readonly Received[]) =>
  [...new Set(received.map(({ data }) => (data.data as { readonly note_id: number }).note_id))].sort(
    (one, other) => one - other,
  );

/** Subscribes with the stock client, and returns when it is connected or has failed. */
async function subscribe(url: string, token: string | undefined, input: object = {}) {
  const client = createTRPCClient<NotesRouter>({
    links: [
      httpSubscriptionLink({
        url: `${url}/trpc`,
        EventSource,
        eventSourceOptions: {
          fetch: (at, init) =>
            fetch(at, {
              ...init,
              headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
            }),
        },
      }),
    ],
  });
  const received: Received[] = [];
  const errors: unknown[] = [];
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const subscription = client.events.subscribe.subscribe(input, {
    onStarted: () => resolve(),
    onData: (event) => received.push(event),
    onError: ({ data }) => {
      errors.push(data?.problem);
      resolve();
    },
  });
  onTestFinished(() => subscription.unsubscribe());
  await begun;
  const ids = () => idsIn(received);
  return { received, errors, ids, stop: () => subscription.unsubscribe() };
}

/** A refusal, or an event. */
const settled = /too_many_at_once|note_id/;

const patience = { timeout: 20_000, interval: 50 };

describe('a subscription to events', () => {
  it('sends every event, also after its connection was cut and its instance has stopped', {
    timeout: 60_000,
  }, async () => {
    const [before, other] = [await write('before'), await start()];
    const proxy = await proxyTo(other.url);
    onTestFinished(proxy.close);
    const { received, errors, ids } = await subscribe(proxy.url, tokens.platform);
    const first = await writeAll(['a', 'b']);
    await expect.poll(ids, patience).toEqual(first);
    expect(received[0]).toMatchObject({ data: { type: 'crm.notes.note.written', actor: `user/${anna.id}` } });
    proxy.cut();
    const second = await writeAll(['c', 'd', 'e']);
    await expect.poll(ids, patience).toEqual([...first, ...second]);
    proxy.leadTo(service.url);
    await Promise.all([other.close(), writeAll(['f'])]);
    const last = await write('g');
    await expect.poll(() => ids().at(-1), patience).toBe(last);
    expect(ids()).toEqual(Array.from({ length: last - before }, (_, index) => before + 1 + index));
    expect(errors).toEqual([]);
  });

  it('begins after the event that it names, and sends only those that are asked for', async () => {
    const { received, ids, stop } = await subscribe(service.url, tokens.platform);
    const written = await writeAll(['a', 'b', 'c']);
    await expect.poll(ids, patience).toEqual(written);
    stop();
    const lastEventId = received[0]?.id;
    const rest = await subscribe(service.url, tokens.platform, { lastEventId });
    const none = await subscribe(service.url, tokens.platform, { lastEventId, types: ['notes.note.liked'] });
    await expect.poll(rest.ids, patience).toEqual(idsIn(received.slice(1)));
    expect(none.received).toEqual([]);
  });

  it.each([
    ['of a user', tokens.user, {}, { name: 'Forbidden' }],
    ['of a service that is not among its callers', tokens.contacts, {}, { name: 'Forbidden' }],
    ['without a credential', undefined, {}, undefined],
    [
      'after what is no event',
      tokens.platform,
      { lastEventId: 'x' },
      { errors: { lastEventId: 'is not the id of an event that was received' } },
    ],
    [
      'after an event of the future',
      tokens.platform,
      { lastEventId: '9999999999999999-1' },
      { reason: 'invalid_value' },
    ],
    [
      'after an event that may be deleted',
      tokens.platform,
      { lastEventId: '1-1' },
      { errors: { lastEventId: expect.stringMatching(/^is too old/) } },
    ],
    [
      'to an event that does not exist',
      tokens.platform,
      { types: ['notes.note.writen'] },
      { details: { 'types.0': { did_you_mean: 'notes.note.written' } } },
    ],
  ])('%s is refused', async (_, token, input, problem) => {
    const { errors } = await subscribe(service.url, token, input);
    await expect.poll(() => errors.length, patience).toBe(1);
    if (problem) expect(errors[0]).toMatchObject(problem);
  });

  it('ends when its credential does', { timeout: 30_000 }, async () => {
    const { errors } = await subscribe(service.url, tokens.revoked);
    expect(errors).toEqual([]);
    actors.delete(tokens.revoked);
    await expect.poll(() => errors, patience).toMatchObject([{ name: 'NotAuthenticated' }]);
  });

  it('is refused beyond twenty at a time, and leaves room when it ends', { timeout: 30_000 }, async () => {
    const open = async () => {
      const ending = new AbortController();
      onTestFinished(() => ending.abort());
      const response = await fetch(`${service.url}/trpc/events.subscribe`, {
        headers: { authorization: `Bearer ${tokens.platform}`, accept: 'text/event-stream' },
        signal: ending.signal,
      });
      return { response, ending };
    };
    const all = await Promise.all(Array.from({ length: 20 }, open));
    const outcome = async () => {
      const { response, ending } = await open();
      await write('more');
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += new TextDecoder().decode(chunk);
        if (settled.test(text)) break;
      }
      ending.abort();
      return settled.exec(text)?.[0];
    };
    await expect.poll(outcome, patience).toBe('too_many_at_once');
    // A response that nobody holds any more would have been closed by now.
    expect(all.map(({ response }) => response.status)).toEqual(all.map(() => 200));
    for (const { ending } of all) ending.abort();
    await expect.poll(outcome, patience).toBe('note_id');
  });

  it('cannot be called like a query', async () => {
    const call = { procedure: 'events.subscribe', input: {}, requestId: 'r' };
    const actor = { ...system, caller: 'platform' };
    await expect(service.call({ ...call, credential: { actor } })).rejects.toMatchObject({
      name: 'MethodNotAllowed',
    });
  });
});

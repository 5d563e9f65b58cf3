import { type Actor, system } from '@crm/auth';
import { type RouterOf, tokenInvalid } from '@crm/contract';
import { listenToCommits } from '@crm/messaging';
import { freshDatabase, letPass, someone, withStoppedClock } from '@crm/testing';
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type notesApi, notesService } from '../test/notes.ts';
import { proxyTo } from '../test/proxy.ts';
import { startNotes } from '../test/start-notes.ts';
import { eventSubscriptions } from './event-subscriptions.ts';
import { createLog } from './index.ts';

type NotesRouter = RouterOf<typeof notesApi>;
interface Received {
  readonly id: string;
  readonly data: { readonly data?: unknown } | null;
}

const tokens = {
  platform: `crm_sv_${'p'.repeat(43)}`,
  contacts: `crm_sv_${'c'.repeat(43)}`,
  revoked: `crm_sv_${'r'.repeat(43)}`,
  user: `crm_op_${'u'.repeat(43)}`,
};
const platform = { ...system, caller: 'platform' } as const;
const actors = new Map<unknown, Actor>([
  [tokens.platform, platform],
  [tokens.contacts, { system: true, caller: 'contacts' }],
  [tokens.revoked, platform],
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
  [...new Set(received.flatMap(({ data }) => (data ? [noteIn(data)] : [])))].sort(
    (one, other) => one - other,
  );
const noteIn = ({ data }: { readonly data?: unknown }) => (data as { readonly note_id: number }).note_id;

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

const patience = { interval: 50 };

describe('a subscription to events', () => {
  it('sends every event, also after its connection was cut and its instance has stopped', async () => {
    const [before, other] = [await write('before'), await start()];
    const proxy = await proxyTo(other.url);
    onTestFinished(proxy.close);
    const { received, errors, ids } = await subscribe(proxy.url, tokens.platform);
    const first = await writeAll(['a', 'b']);
    await expect.poll(ids, patience).toEqual(first);
    const event = { type: 'crm.notes.note.written', actor: `user/${anna.id}` };
    expect(received.find(({ data }) => data)).toMatchObject({ data: event });
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

  it('misses nothing while its connection is cut, also if no event has come yet', async () => {
    const proxy = await proxyTo(service.url);
    onTestFinished(proxy.close);
    const { received, ids } = await subscribe(proxy.url, tokens.platform);
    await expect.poll(() => received, patience).toMatchObject([{ data: null }]);
    received.length = 0;
    proxy.cut();
    const written = await writeAll(['a', 'b']);
    await expect.poll(ids, patience).toEqual(written);
  });

  it('tells its position now and then although no event comes that it asked for', async () => {
    await withStoppedClock(async () => {
      const types = ['notes.note.liked'];
      const { received } = await subscribe(service.url, tokens.platform, { types });
      await expect.poll(() => received.length, patience).toBe(1);
      const positions = () => {
        letPass(60_000);
        return new Set(received.map(({ id }) => id)).size;
      };
      for (const count of [2, 3]) {
        await write('more');
        await expect.poll(positions, patience).toBe(count);
      }
      expect(received.map(({ data }) => data)).toEqual(received.map(() => null));
    });
  });

  it('begins after the event that it names, and sends only those that are asked for', async () => {
    const { received, ids, stop } = await subscribe(service.url, tokens.platform);
    const written = await writeAll(['a', 'b', 'c']);
    await expect.poll(ids, patience).toEqual(written);
    stop();
    const [begun, ...events] = received;
    expect(begun).toMatchObject({ data: null });
    const lastEventId = events[0]?.id;
    const rest = await subscribe(service.url, tokens.platform, { lastEventId });
    const none = await subscribe(service.url, tokens.platform, { lastEventId, types: ['notes.note.liked'] });
    await expect.poll(rest.ids, patience).toEqual(idsIn(events.slice(1)));
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
      'after an event of the future that does not exist',
      tokens.platform,
      { lastEventId: '9999999999999999-999999999' },
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

  it('ends when its credential does', async () => {
    const { errors } = await subscribe(service.url, tokens.revoked);
    expect(errors).toEqual([]);
    actors.delete(tokens.revoked);
    await expect.poll(() => errors, patience).toMatchObject([{ name: 'NotAuthenticated' }]);
  });

  describe('is one of twenty at a time', () => {
    const open = async (input = '{}') => {
      const ending = new AbortController();
      onTestFinished(() => ending.abort());
      const url = `${service.url}/trpc/events.subscribe?input=${encodeURIComponent(input)}`;
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${tokens.platform}`, accept: 'text/event-stream' },
        signal: ending.signal,
      });
      return { response, ending };
    };
    /** What it says first: an event, for which something must have been written, or why it was refused. */
    const firstOf = async ({ response }: Awaited<ReturnType<typeof open>>) => {
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += new TextDecoder().decode(chunk);
        if (settled.test(text)) break;
      }
      return settled.exec(text)?.[0];
    };
    const outcome = async () => {
      const opened = await open();
      await write('more');
      const first = await firstOf(opened);
      opened.ending.abort();
      return first;
    };
    /** How so many more begin that come together. The server may notice later that others have ended. */
    const more = async (count: number) => {
      const all = await Promise.all(Array.from({ length: count }, () => open()));
      await write('more');
      const first = await Promise.all(all.map(firstOf));
      for (const { ending } of all) ending.abort();
      return first.toSorted();
    };
    const twentyEvents = Array(20).fill('note_id');

    it('and leaves room when it ends', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => open()));
      await expect.poll(outcome, patience).toBe('too_many_at_once');
      // A response that nobody holds any longer would have been closed by now.
      expect(all.map(({ response }) => response.status)).toEqual(all.map(() => 200));
      for (const { ending } of all) ending.abort();
      await expect.poll(outcome, patience).toBe('note_id');
    });

    it('although many come together', async () => {
      const expected = [...twentyEvents, ...Array(40).fill('too_many_at_once')];
      await expect.poll(() => more(60), patience).toEqual(expected);
    });

    it('and leaves room when it is refused', async () => {
      const refused = async () => {
        const { response } = await open('{"lastEventId":"1-1"}');
        return response.text();
      };
      const tooOld = Array(20).fill(expect.stringContaining('is too old'));
      const twenty = () => Promise.all(Array.from({ length: 20 }, refused));
      await expect.poll(twenty, patience).toEqual(tooOld);
      await expect.poll(() => more(20), patience).toEqual(twentyEvents);
    });

    it('and leaves room when its client has left before anybody reads it', async () => {
      const { database } = service;
      const log = createLog('notes', 'silent');
      const commits = listenToCommits(database.pool, log, database.ownConnection);
      onTestFinished(commits.stop);
      const { procedures } = notesService;
      const subscribing = procedures.get('events.subscribe');
      if (!subscribing) throw new Error('The service has no events.');
      const authenticate = async () => platform;
      const { open } = eventSubscriptions({ procedures, authenticate, log, pool: database.pool, commits });
      const begin = (signal: AbortSignal) =>
        open(subscribing, { credential: undefined, requestId: 'r' }, {}, signal);
      const clients = Array.from({ length: 20 }, () => new AbortController());
      await begin(AbortSignal.abort());
      await Promise.all(clients.map(({ signal }) => begin(signal)));
      const another = () => begin(new AbortController().signal);
      await expect(another()).rejects.toMatchObject({ name: 'TooManyRequests' });
      for (const client of clients) client.abort();
      await expect(another()).resolves.toBeDefined();
    });
  });

  it('cannot be called like a query', async () => {
    const call = { procedure: 'events.subscribe', input: {}, requestId: 'r' };
    await expect(service.call({ ...call, credential: { actor: platform } })).rejects.toMatchObject({
      name: 'MethodNotAllowed',
    });
  });
});

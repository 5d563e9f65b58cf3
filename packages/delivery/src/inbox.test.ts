import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { account, providers } from '../test/providers.ts';
import { openInbox } from './inbox.ts';

const message = (sid: string, facts: object = {}) => ({
  sid,
  from: '+16045554572',
  direction: 'inbound',
  body: `Text ${sid}`,
  date_created: 'Mon, 02 Mar 2026 18:00:05 +0000',
  ...facts,
});

/** The inbox of an account whose provider returns the given entries on each page and always links to a next page. */
async function inboxWith(pageOf: (page: number) => readonly object[]) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const next_page_uri = `/next?page=${paths.length}`;
    response.end(JSON.stringify({ messages: pageOf(paths.length), next_page_uri }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const inbox = openInbox({ ...account, url });
  onTestFinished(async () => {
    await inbox.close();
    server.close();
  });
  return { inbox, paths };
}

const textsSince = async (inbox: ReturnType<typeof openInbox>, from: Date) =>
  (await Array.fromAsync(inbox.since(from))).flat();

describe('the inbox of the provider', () => {
  it('lists the texts to the number since a day, page by page until an empty one', async () => {
    const { inbox, paths } = await inboxWith((page) => (page <= 12 ? [message(`SM${page}`)] : []));
    const texts = await textsSince(inbox, new Date('2026-03-02T18:00:00Z'));
    expect(texts).toHaveLength(12);
    expect(texts[0]).toEqual({
      id: 'SM1',
      from: '+16045554572',
      text: 'Text SM1',
      at: new Date('2026-03-02T18:00:05Z'),
    });
    const first = new URL(paths[0] ?? '', 'http://provider');
    expect(Object.fromEntries(first.searchParams)).toEqual({
      To: account.number,
      'DateSent>': '2026-03-02',
      PageSize: '200',
    });
    expect(paths[1]).toBe('/next?page=1');
  });

  it('leaves out sent texts and those without a sender or time, but not those of short codes', async () => {
    const all = [
      message('SM1', { direction: 'outbound-api' }),
      message('SM2', { from: ' ' }),
      message('SM3', { date_created: 'soon' }),
      message('SM4', { from: '86753' }),
    ];
    const { inbox } = await inboxWith((page) => (page === 1 ? all : []));
    expect(await textsSince(inbox, new Date())).toMatchObject([{ id: 'SM4', from: '86753' }]);
  });

  it('has a text whose callback failed', async () => {
    const { carrier } = await providers();
    await carrier.reply('+16045554572', 'Hello').catch(() => undefined);
    const inbox = openInbox({ ...account, url: carrier.url });
    onTestFinished(() => inbox.close());
    expect(await textsSince(inbox, new Date())).toMatchObject([{ from: '+16045554572', text: 'Hello' }]);
  });
});

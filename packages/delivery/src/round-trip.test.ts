import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { account, providers } from '../test/providers.ts';
import { type Inbound, readInbound } from './inbound.ts';

/** Reads every callback that it receives, like a gateway with the public URL `origin`. */
async function callbacks(origin: string) {
  const read: (Inbound | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const signature = request.headers['x-twilio-signature'];
    const callback = {
      url: `${origin === '' ? `http://${request.headers.host}` : origin}${request.url}`,
      body: await text(request),
      signature: typeof signature === 'string' ? signature : undefined,
    };
    read.push(readInbound(callback, account.authToken));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { read, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks?a=1&b=%C3%A9` };
}

it('the reply to a text or a call is accepted', async () => {
  const { read, url } = await callbacks('');
  const { delivery, carrier } = await providers({ callbackUrl: url });
  const to = '+16045554572';
  await delivery.text({ key: 'a', to, text: 'Reply STOP to stop.' });
  const call = await delivery.call({ key: 'b', to, say: 'Press 1.', key_press_url: `${url}&call=2` });

  await carrier.reply(to, 'Stop, “please” + thanks & bye');
  await carrier.press(carrier.calls()[0]?.sid ?? '', '1');
  expect(read).toEqual([
    {
      kind: 'text',
      from: to,
      to: account.number,
      text: 'Stop, “please” + thanks & bye',
      mediaUrls: [],
      id: expect.any(String),
      meaning: 'other',
      isAnswered: false,
    },
    {
      kind: 'key press',
      from: account.number,
      to,
      digits: '1',
      call_id: 'reference' in call && call.reference,
    },
  ]);
});

it('a reply that was signed for another address is ignored', async () => {
  const { read, url } = await callbacks('https://crm.example');
  const { carrier } = await providers({ callbackUrl: url });
  await carrier.reply('+16045554572', 'STOP');
  expect(read).toEqual([undefined]);
});

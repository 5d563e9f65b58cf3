import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Behaviour } from '@crm/local-carriers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';
import { openDelivery } from './open-delivery.ts';

const alert = { key: 'offer/7', to: '(604) 555-4572', text: 'A lead for you: “Ána” & co. 🏠' };
const ring = { key: 'offer/7', to: '604 555 4572', say: 'A lead <for> "you" & co.</Say></Gather><Dial>1' };

it('without a carrier, texts and calls are refused', async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: { address: 'a@example.com' } };
  const delivery = openDelivery(mail, { timeoutMs: 5_000, emailTimeoutMs: 5_000 });
  onTestFinished(delivery.close);
  expect(await delivery.text(alert)).toMatchObject({ outcome: 'refused' });
  expect(await delivery.call(ring)).toMatchObject({ outcome: 'refused' });
});

describe('a text', () => {
  it('is sent unchanged, to the number in E.164', async () => {
    const { delivery, carrier } = await providers();
    const outcome = await delivery.text(alert);
    expect(carrier.texts()).toMatchObject([
      { key: alert.key, from: '+16045550100', to: '+16045554572', words: alert.text },
    ]);
    expect(outcome).toEqual({ outcome: 'sent', reference: carrier.texts()[0]?.sid });
  });

  it.each([600, undefined])(
    'that may wait at the carrier for %s seconds sends that limit',
    async (valid_seconds) => {
      const { delivery, carrier } = await providers();
      await delivery.text({ ...alert, ...(valid_seconds !== undefined && { valid_seconds }) });
      expect(carrier.texts()[0]?.valid_seconds).toBe(valid_seconds);
    },
  );

  it.each([
    ['604.555.4572', '+16045554572'],
    ['1-604-555-4572', '+16045554572'],
    ['+1 604 555 4572', '+16045554572'],
    ['+44 20 7946 0958', '+442079460958'],
    ['011 44 20 7946 0958', '+442079460958'],
  ])('to %s goes to %s', async (to, e164) => {
    const { delivery, carrier } = await providers();
    await delivery.text({ ...alert, to });
    expect(carrier.texts()).toMatchObject([{ to: e164 }]);
  });

  it.each(['', 'call me', '555-4572', '604 555 457', '+999 123 456', '604 555 4572 ext. 12', '911'])(
    'to %j is refused without a request to the carrier',
    async (to) => {
      const { delivery, carrier } = await providers();
      expect(await delivery.text({ ...alert, to })).toEqual({
        outcome: 'refused',
        reason: 'This is not a phone number.',
      });
      expect(carrier.received()).toEqual([]);
    },
  );

  it.each([
    ...['+1 876 555 0123', '+882 16 123 456', '+49 1512 3456789'],
    ...['+1 900 234 5678', '+1 533 234 5678', '+1 600 234 5678', '+1 622 234 5678'],
  ])(
    'to %s is refused without a request to the carrier, because its country is not allowed or it costs fees',
    async (to) => {
      const { delivery, carrier } = await providers();
      const outcome = {
        outcome: 'refused',
        reason: expect.stringMatching(/not allowed|no country|extra fees/),
      };
      expect(await delivery.text({ ...alert, to })).toEqual(outcome);
      expect(await delivery.call({ ...ring, to })).toEqual(outcome);
      expect(carrier.received()).toEqual([]);
    },
  );

  it.each([
    [false, 'sent'],
    [true, 'unknown'],
  ])('reuses a connection only if the carrier honors keys: %s', async (honoursKeys, outcome) => {
    const seen = new WeakSet<Socket>();
    // It closes kept connections just as the next text is sent.
    const server = createServer(({ socket }, response) => {
      if (seen.has(socket)) socket.destroy();
      seen.add(socket);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const carrierUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { delivery } = await providers({ carrierUrl, honoursKeys });
    expect(await delivery.text({ ...alert, key: 'a' })).toMatchObject({ outcome: 'sent' });
    await new Promise(setImmediate);
    expect(await delivery.text({ ...alert, key: 'b' })).toMatchObject({ outcome });
  });

  it('with an invalid key throws', async () => {
    const { delivery } = await providers();
    await expect(delivery.text({ ...alert, key: 'a b' })).rejects.toThrow('cannot be the key');
  });
});

describe('a call', () => {
  it('says its text and asks for a key', async () => {
    const { delivery, carrier } = await providers();
    const key_press_url = 'https://crm.example/claims/press?token=a&lead=1';
    expect(await delivery.call({ ...ring, key_press_url })).toMatchObject({ outcome: 'sent' });
    expect(carrier.calls()).toMatchObject([{ to: '+16045554572', words: ring.say, key_press_url }]);
  });

  it('asks for no key press without a URL', async () => {
    const { delivery, carrier } = await providers();
    await delivery.call(ring);
    expect(carrier.calls()).toMatchObject([{ words: ring.say, key_press_url: undefined }]);
  });
});

const channels = {
  text: (delivery: Delivery) => delivery.text(alert),
  call: (delivery: Delivery) => delivery.call(ring),
};
type Delivery = Awaited<ReturnType<typeof providers>>['delivery'];

describe.each(['text', 'call'] as const)('a %s', (channel) => {
  const send = channels[channel];

  it.each<[string, Behaviour]>([
    ['refused', { answer: 400 }],
    ['failed', { answer: 404, body: '<html>' }],
    ['failed', { answer: 400, body: '{"code":21212,"message":"The From number is invalid."}' }],
    ['failed', { answer: 400, body: '{"code":21606,"message":"The From number is not yours."}' }],
    ['failed', { answer: 400, body: '{"code":21601,"message":"The From number sends no texts."}' }],
    ['failed', { answer: 400, body: '{"code":21608,"message":"The To number is not verified."}' }],
    ['failed', { answer: 400, body: '{"code":21219,"message":"The To number is not verified."}' }],
    ['failed', { answer: 400, body: '{"code":21616,"message":"The From number is of several accounts."}' }],
    ['failed', { answer: 400, body: '{"code":21659,"message":"The From number is not known."}' }],
    ['failed', { answer: 400, body: '{"code":21660,"message":"The From number is of another account."}' }],
    ['failed', { answer: 400, body: '{"code":572002,"message":"The trial allows no such text."}' }],
    ['failed', { answer: 400, body: '{"code":572005,"message":"The trial allows no such text."}' }],
    ['failed', { answer: 400, body: '{"code":573002,"message":"The trial allows no such text."}' }],
    ['failed', { answer: 400, body: '{"code":573005,"message":"The trial allows no such text."}' }],
    ['failed', { answer: 429, body: '{"code":21611,"message":"The queue is full."}' }],
    ['failed', { answer: 400, body: '{"code":21611,"message":"The queue is full."}' }],
    ['refused', { answer: 400, body: '{"code":21617,"message":"The text is too long."}' }],
    ['failed', { answer: 408 }],
    ['failed', { answer: 429 }],
    ['unknown', { answer: 500, body: '{"message":5}' }],
    ['unknown', { answer: 503 }],
    ['failed', { answer: 302, body: '' }],
    ['unknown', { answer: 502 }],
    ['unknown', { answer: 504 }],
    ['unknown', { answer: 201, body: 'OK' }],
    ['unknown', { answer: 201, body: '{"sid":"<script>"}' }],
    ['unknown', { answer: 201, body: JSON.stringify({ sid: 'SM1', more: 'x'.repeat(100_000) }) }],
    ['unknown', 'break before accepting'],
    ['unknown', 'break after accepting'],
  ])('is %s when the carrier does this: %o', async (outcome, behaviour) => {
    const { delivery, carrier } = await providers();
    carrier.behave(() => behaviour);
    expect(await send(delivery)).toEqual({ outcome, reason: expect.stringMatching(/\w/) });
    expect(carrier.received()).toMatchObject([{ channel, key: 'offer/7', arrivals: 1 }]);
  });

  it.each([21211, 21614, 21635])('blocks its number when nothing can arrive there: %i', async (code) => {
    const { delivery, carrier } = await providers();
    carrier.behave(() => ({ answer: 400, body: JSON.stringify({ code, message: 'It cannot arrive.' }) }));
    expect(await send(delivery)).toMatchObject({ outcome: 'refused', block: 'unreachable' });
  });

  it.each<[Behaviour, number]>([
    ['hang before accepting', 0],
    ['hang after accepting', 1],
  ])('is unknown when the carrier does not respond in time: %s', async (behaviour, accepted) => {
    const { delivery, carrier } = await providers({ timeoutMs: 2_500 });
    carrier.behave(() => behaviour);
    expect(await send(delivery)).toMatchObject({ outcome: 'unknown' });
    expect(carrier.received()).toMatchObject([{ arrivals: 1, accepted }]);
  });

  it('fails when the carrier is unavailable', async () => {
    const { delivery, carrier } = await providers();
    await carrier.close();
    expect(await send(delivery)).toMatchObject({ outcome: 'failed' });
  });

  it('fails when the carrier has no valid certificate', async () => {
    const other = await providers();
    const { delivery } = await providers({ carrierUrl: other.carrier.url.replace('http:', 'https:') });
    expect(await send(delivery)).toMatchObject({ outcome: 'failed' });
  });

  it('fails, and may be retried, when the account is unknown', async () => {
    const { delivery, carrier } = await providers({ authToken: 'another' });
    expect(await send(delivery)).toEqual({
      outcome: 'failed',
      reason: 'The provider responded with 401: Authenticate',
    });
    expect(carrier.received()).toEqual([]);
  });

  it('that may have been accepted is not accepted again with the same key', async () => {
    const { delivery, carrier } = await providers();
    carrier.behave(() => 'break after accepting');
    expect(await send(delivery)).toMatchObject({ outcome: 'unknown' });
    carrier.behave(undefined);
    const again = await send(delivery);

    const sent = [...carrier.texts(), ...carrier.calls()];
    expect(sent).toHaveLength(1);
    expect(again).toEqual({ outcome: 'sent', reference: sent[0]?.sid });
    expect(carrier.received()).toEqual([{ channel, key: 'offer/7', arrivals: 2, accepted: 1 }]);
  });

  it('has a reason that can be displayed, whatever the carrier responds', async () => {
    const { delivery, carrier } = await providers();
    const body = JSON.stringify({ message: `a\u0000\n\u001b[31mb\u202e${'c'.repeat(1_000)}` });
    carrier.behave(() => ({ answer: 400, body }));
    const outcome = await send(delivery);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^[\x20-\x7e]{1,300}$/) });
  });
});
